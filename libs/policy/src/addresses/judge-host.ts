/** Whether a URL's host may be connected to. Guarantees that a name with one answer that is not public is refused whole and that no spelling of a number passes for a name; it must never drop the bad answers and use the rest. */
import { readNumericHost } from './numeric-host.ts';
import { canonicalAddress, isPublicAddress } from './public-address.ts';

export type HostSpelling =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly address: string }
  | { readonly kind: 'malformed' };

export interface HostVerdict {
  /** Every address it leads to is public, and there is at least one. */
  readonly public: boolean;
  /** Whether a URL may carry this host for all its spelling says: this server takes names only, also where the address is public. */
  readonly spelledAsName: boolean;
}

/** A URL may never carry an address, nor a number that spells one: nobody who reads it sees where it leads. */
export const LITERAL_ADDRESSES_ALLOWED = false;

/** Longer than a host name can be, even percent-encoded throughout. */
const MAX_HOST_LENGTH = 1024;
/** Signs no host name has. The brackets of IPv6 are taken off before. */
const FORBIDDEN = /[\s\p{Cc}#%/:<>?@[\\\]^|]/u;
/** Characters that vanish when a host is read, by which a number could be dressed as a name. */
const INVISIBLE = /[\u00ad\u034f\u180b-\u180f\u200b-\u200d\u2060-\u2064\ufe00-\ufe0f\ufeff]/g;

/** What `host`, the text between scheme and port, is once read as a URL parser would. */
export function classifyHost(host: string): HostSpelling {
  if (host.length > MAX_HOST_LENGTH) return { kind: 'malformed' };
  const inner = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (inner.includes(':')) {
    const address = canonicalAddress(inner);
    return address === undefined ? { kind: 'malformed' } : { kind: 'literal', address };
  }
  if (inner !== host) return { kind: 'malformed' };
  const name = plainName(host);
  if (name === undefined || !hasNameShape(name)) return { kind: 'malformed' };
  const numeric = readNumericHost(name);
  if (numeric === undefined) return { kind: 'name', name };
  return numeric.kind === 'address' ? { kind: 'literal', address: numeric.address } : { kind: 'malformed' };
}

/** `answers` are all addresses the name resolved to; a literal needs none, and where some are given they count as well. */
export function judgeHost(host: string, answers: readonly string[] = []): HostVerdict {
  const spelling = classifyHost(host);
  const answersPublic = answers.every(isPublicAddress);
  switch (spelling.kind) {
    case 'malformed':
      return { public: false, spelledAsName: false };
    case 'literal':
      return { public: isPublicAddress(spelling.address) && answersPublic, spelledAsName: LITERAL_ADDRESSES_ALLOWED };
    case 'name':
      return { public: answers.length > 0 && answersPublic && !isLoopbackName(spelling.name), spelledAsName: true };
  }
}

/** Percent signs decoded, wide forms and ideographic dots made plain, letters small; undefined where the encoding is broken. */
function plainName(host: string): string | undefined {
  try {
    return decodeURIComponent(host)
      .normalize('NFKC')
      .replace(INVISIBLE, '')
      .replace(/[\u3002\uff0e\uff61]/g, '.')
      .toLowerCase();
  } catch {
    return undefined;
  }
}

function hasNameShape(name: string): boolean {
  if (FORBIDDEN.test(name)) return false;
  const labels = name.split('.');
  if (labels.at(-1) === '') labels.pop();
  return labels.length > 0 && labels.every((label) => label !== '');
}

/** `localhost` and what is below it mean this machine, whatever a resolver says (RFC 6761). */
function isLoopbackName(name: string): boolean {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  return bare === 'localhost' || bare.endsWith('.localhost');
}
