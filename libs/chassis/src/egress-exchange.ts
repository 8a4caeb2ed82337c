/**
 * One HTTP request after the other to one destination, through egress. Guarantees that an answer counts only when it came whole,
 * that no redirect is followed, and that what a peer sends is bounded; it must never wait for longer than it was told.
 */
import { Agent, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { EgressRequest } from './egress-ticket.ts';
import { destinationOf, openTunnel, secureTunnel, type TlsTerms, type WayOut } from './egress-tunnel.ts';

export interface OutboundRequest {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

export interface Exchange {
  /** @throws EgressRefused, what TLS or the connection said, or an Error that the answer did not come whole or in time. */
  send(url: URL, asked: OutboundRequest, signal?: AbortSignal): Promise<OutboundAnswer>;
  /** Ends the connection that was kept. */
  close(): void;
}

export interface ExchangeTerms {
  readonly to: Omit<EgressRequest, 'host' | 'port'>;
  readonly tls?: TlsTerms;
  readonly connectMs?: number;
  /** For the whole of a request and its answer. */
  readonly totalMs?: number;
}

const CONNECT_MS = 15_000;
const TOTAL_MS = 60_000;
const MOST_ANSWER_BYTES = 256 * 1024;

export const createExchange = (way: WayOut, terms: ExchangeTerms): Exchange => {
  const { to, tls, connectMs = CONNECT_MS, totalMs = TOTAL_MS } = terms;
  const open = async (url: URL): Promise<Socket> => {
    const { host, port, secure } = destinationOf(url);
    const socket = await openTunnel(way, { ...to, host, port }, { connectMs });
    if (!secure) return socket;
    const certificates = [...(way.certificates ?? []), ...(tls?.certificates ?? [])];
    return secureTunnel({ ...tls, certificates }, socket, host, { connectMs });
  };
  let opening: URL;
  // One connection at a time, kept between requests: every new one is on record as it is opened and as it ends.
  const agent = new Agent({ keepAlive: true, maxSockets: 1, keepAliveMsecs: 30_000, timeout: 5 * 60_000 });
  agent.createConnection = ((_options: unknown, done: (error: Error | null, socket?: Socket) => void) => {
    open(opening).then(
      (socket) => done(null, socket),
      (error: unknown) => done(error as Error),
    );
  }) as unknown as typeof agent.createConnection;

  const once = (
    url: URL,
    { method, headers, body }: OutboundRequest,
    signal?: AbortSignal,
  ): Promise<OutboundAnswer> => {
    opening = url;
    return new Promise((resolve, reject) => {
      const asked = request({
        ...{ agent, method, host: url.hostname, path: `${url.pathname}${url.search}` },
        headers: { host: url.host, 'content-length': String(Buffer.byteLength(body)), ...headers },
      });
      const late = setTimeout(() => fail(new Error(LATE)), totalMs);
      const fail = (error: unknown): void => {
        clearTimeout(late);
        signal?.removeEventListener('abort', stop);
        asked.destroy();
        reject(asked.reusedSocket && !answered ? new StaleConnection(error) : (error as Error));
      };
      let answered = false;
      const stop = (): void => fail(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      asked.once('error', fail);
      asked.once('response', (answer) => {
        answered = true;
        readWhole(answer).then((read) => {
          clearTimeout(late);
          signal?.removeEventListener('abort', stop);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read });
        }, fail);
      });
      if (signal?.aborted) stop();
      else asked.end(body);
    });
  };

  return {
    async send(url, asked, signal) {
      try {
        return await once(url, asked, signal);
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error;
        // The peer had given up the connection that was kept, which says nothing of whether it takes anything.
        if (signal?.aborted || isLate(error.cause)) throw error.cause;
        agent.destroy();
        return once(url, asked, signal);
      }
    },
    close: () => agent.destroy(),
  };
};

class StaleConnection extends Error {
  constructor(cause: unknown) {
    super('the kept connection was gone', { cause });
  }
}
const LATE = 'It did not answer in time.';
const isLate = (error: unknown): boolean => error instanceof Error && error.message === LATE;

const readWhole = async (answer: IncomingMessage): Promise<Uint8Array> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > MOST_ANSWER_BYTES) break;
      parts.push(part);
    }
  } catch (cause) {
    throw new Error('It broke off its answer.', { cause });
  }
  if (bytes > MOST_ANSWER_BYTES) throw new Error('It answered with more than anybody asked for.');
  if (!answer.complete) throw new Error('It broke off its answer.');
  return Buffer.concat(parts);
};
