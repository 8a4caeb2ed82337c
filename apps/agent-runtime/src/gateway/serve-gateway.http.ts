/**
 * The pod's HTTP side: `/health` for everybody, every `/api` route and the chat upgrade only for a preset bearer.
 *
 * It never says more to an unauthenticated caller than that it is alive.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { headerToken, isPaired, upgradeToken } from '../access/check-bearer.ts';
import { serveChat } from '../chats/chat.ws.ts';
import type { ChatPorts } from '../chats/chat.ws.ts';
import type { ToolCatalogue } from '../loop/tool-catalogue.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { describeHealth } from './describe-health.ts';

export interface GatewayPorts extends ChatPorts {
  readonly agentAlias: string;
  readonly tokenHashes: readonly string[];
  readonly catalogue: ToolCatalogue;
}

const MAX_FRAME_BYTES = 1_048_576;
const SUBPROTOCOL = 'zeroclaw.v1';

export function createGateway(ports: GatewayPorts): Server {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response, ports).catch((error: unknown) => {
      ports.log(`request failed: ${(error as Error).message}`);
      if (!response.headersSent) reply(response, 500, { error: 'internal error' });
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const url = urlOf(request);
    const session = acceptUpgrade(request, url, socket, ports);
    if (session)
      sockets.handleUpgrade(request, socket, head, (ws) =>
        serveChat(ws, ports.sessions.open(session), ports, request.headers['traceparent']),
      );
  });
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, ports: GatewayPorts): Promise<void> {
  const url = urlOf(request);
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /health')
    return reply(response, 200, describeHealth(ports.tokenHashes.length > 0, ports.catalogue.status));
  if (!url.pathname.startsWith('/api/')) return reply(response, 404, notFound(url.pathname));
  if (!isPaired(headerToken(request), ports.tokenHashes)) return reply(response, 401, { error: 'Unauthorized' });

  if (route === 'GET /api/tools') {
    if ((url.searchParams.get('agent') ?? ports.agentAlias) !== ports.agentAlias) {
      return reply(response, 404, { error: `There is no agent of that name; this pod runs ${ports.agentAlias}.` });
    }
    return reply(response, 200, { tools: await ports.catalogue.tools() });
  }
  const [, id, verb] = /^\/api\/sessions\/([^/]+)\/(abort|state)$/.exec(url.pathname) ?? [];
  const session = ports.sessions.find(decode(id));
  if (request.method === 'POST' && verb === 'abort') {
    return reply(response, 200, { status: ports.sessions.abort(session) ? 'aborted' : 'no_active_response' });
  }
  if (request.method === 'GET' && verb === 'state') {
    if (!session) return reply(response, 404, { error: 'There is no session of that id.' });
    return reply(response, 200, {
      session_id: session.id,
      state: session.turn ? 'running' : session.failed ? 'error' : 'idle',
      ...(session.turn && { turn_id: session.turn.id, turn_started_at: session.turn.startedAt.toISOString() }),
    });
  }
  return reply(response, 404, notFound(url.pathname));
}

/** The session id of an upgrade that may go on; otherwise the socket has been answered and closed. */
function acceptUpgrade(request: IncomingMessage, url: URL, socket: Duplex, ports: GatewayPorts): string | undefined {
  if (url.pathname !== '/ws/chat')
    return refuseUpgrade(socket, '404 Not Found', 'There is nothing here; chat is at /ws/chat.');
  if (!isPaired(upgradeToken(request, url), ports.tokenHashes)) {
    return refuseUpgrade(socket, '401 Unauthorized', 'Unauthorized: a bearer token of this pod is needed.');
  }
  if (url.searchParams.get('agent') !== ports.agentAlias) {
    return refuseUpgrade(
      socket,
      '400 Bad Request',
      `The parameter agent must name this pod's agent, ${ports.agentAlias}.`,
    );
  }
  const id = SessionStore.normalize(url.searchParams.get('session_id') ?? randomUUID());
  return (
    id ??
    refuseUpgrade(
      socket,
      '400 Bad Request',
      'session_id may hold up to 128 letters, digits, dots, dashes and underscores.',
    )
  );
}

function refuseUpgrade(socket: Duplex, status: string, text: string): undefined {
  const length = Buffer.byteLength(text);
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
  return undefined;
}

function reply(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

function notFound(path: string): object {
  return { error: 'not_found', message: 'There is no such route.', path };
}

function urlOf(request: IncomingMessage): URL {
  return URL.parse(request.url ?? '/', 'http://pod') ?? new URL('http://pod/');
}

function decode(part: string | undefined): string {
  try {
    return decodeURIComponent(part ?? '');
  } catch {
    return '';
  }
}
