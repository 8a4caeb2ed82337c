/**
 * The one way out to model servers: tunnels through egress that are kept open between calls, because a first token should wait for no
 * connection. Where a tenant named the destination egress is told so, and reaches nothing private; no redirect is followed with a key.
 */
import type { Socket } from 'node:net';
import { destinationOf, EgressRefused } from '@bravo/chassis';
import { judgeHost } from '@bravo/policy';
import { Agent, fetch as outboundFetch } from 'undici';
import { ModelProviderError } from '../model-provider.port.ts';
import type { OpenSocket } from '../open-socket.ts';

export interface OutboundOptions {
  readonly connectMs: number;
  /** Between two pieces of an answer while somebody reads it. */
  readonly idleMs: number;
  /** True for whatever a tenant named. */
  readonly publicOnly: boolean;
  readonly openSocket: OpenSocket;
}

export interface Outbound {
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

/** An unused tunnel is kept this long, unless the server says otherwise. */
const KEPT_MS = 60_000;

const NOT_PUBLIC =
  'The address of the model leads to no public host. Name a public one in options.baseURL, or ask the operator to list it.';

/** What egress said, as what it means for a model call. */
const toFailure = (error: unknown): Error => {
  if (!(error instanceof EgressRefused)) return error as Error;
  if (error.code === 'not_public' || error.code === 'literal_address')
    return new ModelProviderError('refused', NOT_PUBLIC);
  if (error.code === 'connect_timeout')
    return Object.assign(new Error(error.message), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  // Whether a name exists and who listens there is a question of the address; everything else is one of ours.
  if (['name_unknown', 'unreachable', 'malformed'].includes(error.code)) return error;
  return new ModelProviderError('unavailable', `The model cannot be reached. ${error.message}`);
};

export const createOutbound = ({ connectMs, idleMs, publicOnly, openSocket }: OutboundOptions): Outbound => {
  const agent = new Agent({
    connect: (
      { protocol, hostname, port }: { protocol: string; hostname: string; port?: string | null },
      done: (error: Error | null, socket: Socket | null) => void,
    ) => {
      const to = destinationOf(new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}`));
      openSocket(to, { reach: publicOnly ? 'public' : 'operator', connectMs }).then(
        (socket) => done(null, socket),
        (error: unknown) => done(toFailure(error), null),
      );
    },
    keepAliveTimeout: KEPT_MS,
    headersTimeout: 0,
    bodyTimeout: idleMs,
    // One process serves many streams at once; each holds a connection for as long as it lasts.
    connections: null,
  } as never);
  return {
    fetch: (async (input: string | URL | Request, init?: RequestInit) => {
      const host = new URL(input instanceof Request ? input.url : input).hostname.toLowerCase();
      // Egress would say so too; this way nothing is asked of it.
      if (publicOnly && !judgeHost(host, ['8.8.8.8']).spelledAsName)
        throw new ModelProviderError('refused', NOT_PUBLIC);
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
