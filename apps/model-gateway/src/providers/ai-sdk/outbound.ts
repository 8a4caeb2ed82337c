/**
 * The one way out to model servers. A destination a tenant named is connected to only where every address its name has is
 * public, and the address that was checked is the one that is connected to; no redirect is followed with a key.
 */
import { lookup, type LookupAddress } from 'node:dns';
import { judgeHost } from '@bravo/policy';
import { Agent, fetch as outboundFetch } from 'undici';
import { ModelProviderError } from '../model-provider.port.ts';

export interface OutboundOptions {
  readonly connectMs: number;
  /** Between two pieces of an answer while somebody reads it. */
  readonly idleMs: number;
  /** True for whatever a tenant named. */
  readonly publicOnly: boolean;
  /** Every address a name has; the machine's own resolver where it is absent. */
  readonly resolveName?: ResolveName | undefined;
}

export type ResolveName = (
  host: string,
  how: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface Outbound {
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

export const createOutbound = (options: OutboundOptions): Outbound => {
  const { connectMs, idleMs, publicOnly, resolveName = lookup } = options;
  const refused = new ModelProviderError(
    'refused',
    'The address of the model leads to no public host. Name a public one in options.baseURL, or ask the operator to list it.',
  );
  const lookUp = (host: string, how: { all?: boolean }, done: Done): void => {
    resolveName(host, { ...how, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      if (
        publicOnly &&
        !judgeHost(
          host,
          addresses.map(({ address }) => address),
        ).public
      )
        return done(refused, []);
      const [first] = addresses;
      if (how.all === true) done(null, addresses);
      else done(null, first?.address ?? '', first?.family ?? 4);
    });
  };
  const agent = new Agent({
    connect: { timeout: connectMs, lookup: lookUp as never },
    headersTimeout: 0,
    bodyTimeout: idleMs,
    // One process serves many streams at once; each holds a connection for as long as it lasts.
    connections: null,
  });
  return {
    fetch: (async (input: string | URL | Request, init?: RequestInit) => {
      const host = new URL(input instanceof Request ? input.url : input).hostname.toLowerCase();
      // A literal address is connected to without a lookup.
      if (publicOnly && !judgeHost(host, ['8.8.8.8']).spelledAsName) throw refused;
      const response = await outboundFetch(input as never, { ...init, redirect: 'error', dispatcher: agent } as never);
      if (response.ok && /\btext\/html\b/i.test(response.headers.get('content-type') ?? '')) {
        await response.body?.cancel();
        throw new ModelProviderError(
          'refused',
          'The address of the model answers with a web page. It is no address of a model API; check its path.',
        );
      }
      return response;
    }) as unknown as typeof globalThis.fetch,
    close: () => agent.close(),
  };
};

/** Puts what a model's `options` hold into the JSON body, never in place of what the turn itself built. */
export const withBodyOptions = (
  fetch: typeof globalThis.fetch,
  more: Readonly<Record<string, unknown>> | undefined,
): typeof globalThis.fetch =>
  more === undefined || Object.keys(more).length === 0
    ? fetch
    : (input, init) => {
        if (typeof init?.body !== 'string') return fetch(input, init);
        const built = JSON.parse(init.body) as Record<string, unknown>;
        return fetch(input, { ...init, body: JSON.stringify({ ...more, ...built }) });
      };
