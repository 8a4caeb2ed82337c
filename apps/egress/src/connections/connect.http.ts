/** The CONNECT edge. Guarantees that a request with two readings is refused before any of it is acted on, and that nothing but CONNECT is answered. */
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EGRESS_REFUSALS, EgressRefused, type EgressRefusal, REFUSAL_HEADER } from '@bravo/chassis/egress-refusals';
import type { Asked, OpenConnection } from './open-connection.ts';
import type { Outcome } from './connection-record.ts';
import type { Caps } from './purposes.ts';

export interface ConnectEdgeParts {
  readonly openConnection: OpenConnection<Socket>;
  readonly carryBytes: (
    inside: Duplex,
    outside: Socket,
    caps: Caps,
    stop: AbortSignal,
  ) => Promise<{ outcome: Outcome; sentBytes: number; receivedBytes: number }>;
  readonly onEnded: (purpose: string, outcome: Outcome, sentBytes: number, receivedBytes: number) => void;
  readonly onRefused: (code: EgressRefusal, error: unknown) => void;
}

export interface ConnectEdge {
  readonly server: Server;
  /** Ends every connection, each on record. */
  stop(): Promise<void>;
}

const HEADERS_MS = 5_000;
const MAX_HEADERS_BYTES = 8 * 1024;

export const createConnectEdge = (parts: ConnectEdgeParts): ConnectEdge => {
  const stopping = new AbortController();
  const live = new Set<Promise<void>>();
  const server = createServer({
    ...{ maxHeaderSize: MAX_HEADERS_BYTES, headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS },
    ...{ connectionsCheckingInterval: 1_000, insecureHTTPParser: false, noDelay: true },
  });
  server.on('request', (_request, response) => {
    response.writeHead(405, { allow: 'CONNECT', connection: 'close', 'content-length': 0 }).end();
  });
  server.on('connect', (request: IncomingMessage, inside: Duplex, head: Buffer) => {
    inside.on('error', () => undefined);
    const work = serve(parts, request, inside, head, stopping.signal).finally(() => live.delete(work));
    live.add(work);
  });
  return {
    server,
    stop: async () => {
      server.close();
      stopping.abort();
      await Promise.all(live);
      server.closeAllConnections();
    },
  };
};

const serve = async (
  parts: ConnectEdgeParts,
  request: IncomingMessage,
  inside: Duplex,
  head: Buffer,
  stopping: AbortSignal,
): Promise<void> => {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  inside.once('close', leave);
  try {
    const signal = AbortSignal.any([gone.signal, stopping]);
    const opened = await parts.openConnection(readRequest(request, head), signal);
    inside.removeListener('close', leave);
    if (!gone.signal.aborted) inside.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const { outcome, sentBytes, receivedBytes } = gone.signal.aborted
      ? nothingCarried(opened.socket)
      : await parts.carryBytes(inside, opened.socket, opened.caps, stopping);
    parts.onEnded(opened.purpose, outcome, sentBytes, receivedBytes);
    await opened.end(outcome, sentBytes, receivedBytes);
  } catch (error) {
    const code = error instanceof EgressRefused && error.code !== 'egress_gone' ? error.code : 'unrecorded';
    parts.onRefused(code, error);
    refuse(inside, code);
  }
};

const nothingCarried = (socket: Socket) => {
  socket.destroy();
  return { outcome: 'reset' as const, sentBytes: 0, receivedBytes: 0 };
};

/** @throws EgressRefused malformed for whatever a second reader might understand in another way. */
const readRequest = (request: IncomingMessage, head: Buffer): Asked => {
  const values = (name: string): string[] =>
    request.rawHeaders.filter((_value, at, all) => at % 2 === 1 && all[at - 1]?.toLowerCase() === name);
  const [host, ...moreHosts] = values('host');
  const [authorization, ...moreTickets] = values('proxy-authorization');
  const authority = request.url ?? '';
  const unambiguous =
    request.httpVersion === '1.1' &&
    host === authority &&
    moreHosts.length === 0 &&
    moreTickets.length === 0 &&
    values('content-length').length === 0 &&
    values('transfer-encoding').length === 0 &&
    // Nobody has been told yet that anything listens.
    head.length === 0;
  if (!unambiguous) throw new EgressRefused('malformed');
  return { authority, token: /^Bearer ([\w.-]{1,4096})$/.exec(authorization ?? '')?.[1] };
};

const refuse = (inside: Duplex, code: EgressRefusal): void => {
  const { status } = EGRESS_REFUSALS[code];
  inside.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${REFUSAL_HEADER}: ${code}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
};
