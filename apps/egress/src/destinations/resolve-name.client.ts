/** Looks a name up, once for each connection: what is judged is what is connected to. Guarantees that an answer that failed in part is no answer. */
import { lookup, Resolver } from 'node:dns/promises';
import { EgressRefused } from '@bravo/chassis/egress-refusals';

const RESOLVE_MS = 15_000;
/** The name exists with no address of this kind, or does not exist. */
const NOTHING = ['ENODATA', 'ENOTFOUND', 'NODATA', 'NOTFOUND'];

/** `servers`: address with or without a port; none: this machine's own resolver, with its hosts file. */
export const createResolveName = (
  servers: readonly string[],
  resolveMs = RESOLVE_MS,
): ((name: string) => Promise<readonly string[]>) => {
  const ask = servers.length === 0 ? askSystem : askServers(servers, resolveMs);
  return async (name) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new EgressRefused('resolver_failed')), resolveMs);
    });
    try {
      const addresses = [...new Set(await Promise.race([ask(name), late]))];
      if (addresses.length === 0) throw new EgressRefused('name_unknown');
      return addresses;
    } finally {
      clearTimeout(timer);
    }
  };
};

const askSystem = async (name: string): Promise<readonly string[]> => {
  try {
    return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
  } catch (cause) {
    throw new EgressRefused(isNothing(cause) ? 'name_unknown' : 'resolver_failed', { cause });
  }
};

const askServers = (servers: readonly string[], resolveMs: number) => {
  const resolver = new Resolver({ timeout: Math.ceil(resolveMs / 3), tries: 2 });
  resolver.setServers(servers);
  const part = async (asked: Promise<string[]>): Promise<string[]> => {
    try {
      return await asked;
    } catch (cause) {
      if (isNothing(cause)) return [];
      throw new EgressRefused('resolver_failed', { cause });
    }
  };
  return async (name: string): Promise<readonly string[]> =>
    (await Promise.all([part(resolver.resolve4(name)), part(resolver.resolve6(name))])).flat();
};

const isNothing = (cause: unknown): boolean => NOTHING.includes(String((cause as { code?: unknown }).code));
