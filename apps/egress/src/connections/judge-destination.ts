/** Whether a destination may be connected to, by what it is called and everything it resolved to. Guarantees that one bad answer refuses the whole name; it must never pick the good ones out. */
import type { EgressRefusal } from '@bravo/chassis/egress-refusals';
import { classifyHost, isForbiddenAddress, judgeHost } from '@bravo/policy';

/** Undefined: its addresses have to be looked up first. */
export const addressesSpelled = (host: string): readonly string[] | EgressRefusal | undefined => {
  const spelling = classifyHost(host);
  switch (spelling.kind) {
    case 'malformed':
      return 'malformed';
    case 'literal':
      return [spelling.address];
    case 'name':
      return undefined;
  }
};

/** `mayBePrivate`: whoever runs the platform named this very destination. Even then no machine's own credentials can be asked for. */
export const judgeDestination = (
  host: string,
  addresses: readonly string[],
  mayBePrivate: boolean,
): EgressRefusal | undefined => {
  if (addresses.length === 0) return 'name_unknown';
  if (mayBePrivate) return addresses.some(isForbiddenAddress) ? 'not_public' : undefined;
  const verdict = judgeHost(host, addresses);
  if (!verdict.spelledAsName) return 'literal_address';
  return verdict.public ? undefined : 'not_public';
};
