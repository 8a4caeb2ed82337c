/**
 * The pod's HTTP side: health, metrics and pairing for everybody, every `/api` route, `/webhook` and the chat upgrade
 * only for a paired bearer.
 *
 * It never says more to an unauthenticated caller than that it is alive.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { headerToken, upgradeToken } from '../access/check-bearer.ts';
import type { Agent } from '../agents/agent.ts';
import { Chat, type ChatPorts } from '../chats/chat.ws.ts';
import { eventRoutes } from '../events/events.http.ts';
import { memoryRoutes } from '../memories/memories.http.ts';
import { pairingRoutes } from '../pairing/pairing.http.ts';
import type { Pairing } from '../pairing/pairing.ts';
import { SessionStore } from '../sessions/session-store.ts';
import { sessionRoutes } from '../sessions/sessions.http.ts';
import { webhookRoute, type WebhookPorts } from '../webhooks/webhook.http.ts';
import { type Answer, type Call, Refusal, type Route, send } from './call.http.ts';
import { describeHealth, describeMetrics, describeStatus } from './describe-health.ts';

export interface GatewayPorts extends ChatPorts, WebhookPorts {
  readonly pathPrefix: string;
}

const MAX_FRAME_BYTES = 1_048_576;
const SUBPROTOCOL = 'zeroclaw.v1';

export function createGateway(ports: GatewayPorts): Server {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  const routes = routesOf(ports);
  const server = createServer((request, response) => {
    const url = urlOf(request);
    const path = withoutPrefix(url.pathname, ports.pathPrefix);
    const address = request.socket.remoteAddress ?? '';
    const call: Call = { request, response, url, path, address, route: `${request.method} ${path}` };
    void answer(call, routes, ports.pairing)
      .catch((error: unknown): Answer => {
        if (error instanceof Refusal) return error;
        if (!request.destroyed) ports.log(`request failed: ${(error as Error).message}`);
        return { status: 500, body: { error: 'internal error' } };
      })
      .then((given) => {
        if (given !== 'taken' && !response.headersSent) send(response, given);
        // What nobody wanted to read must not stay in the socket.
        request.resume();
      });
  });
  server.on('upgrade', (request, socket, head) => {
    const url = urlOf(request);
    const accepted = acceptUpgrade(request, url, socket, ports);
    if (!accepted) return;
    sockets.handleUpgrade(request, socket, head, (ws) => {
      const { agent, session, name } = accepted;
      const opened = ports.sessions.open(session, agent.config.alias, name);
      new Chat(ws, agent, opened, ports, request.headers['traceparent']).greet(url.searchParams.get('cwd'));
    });
  });
  return server;
}

function routesOf(ports: GatewayPorts): { readonly open: Route[]; readonly closed: Route[] } {
  const { agents, pairing, memories, usage, events, sessions } = ports;
  const [first = 'worker'] = agents.keys();
  return {
    open: [
      ({ route }) =>
        route === 'GET /health' ? { status: 200, body: describeHealth(pairing.paired, agents) } : undefined,
      ({ route }) => (route === 'GET /metrics' ? { status: 200, body: describeMetrics(usage) } : undefined),
      pairingRoutes(pairing, ports.log),
      // It has an order of its own, with the bearer in the middle.
      webhookRoute(ports),
    ],
    closed: [
      ({ route, url }) =>
        route === 'GET /api/tools' ? listTools(agents, url.searchParams.get('agent') ?? first) : undefined,
      ({ route }) =>
        route === 'GET /api/status'
          ? { status: 200, body: describeStatus(agents, memories ? 'sqlite' : 'none', pairing.paired) }
          : undefined,
      ({ route, url }) => (route === 'GET /api/cost' ? { status: 200, body: costOf(usage, url) } : undefined),
      sessionRoutes(sessions),
      memoryRoutes(memories, first),
      eventRoutes(events),
    ],
  };
}

async function answer(
  call: Call,
  { open, closed }: ReturnType<typeof routesOf>,
  pairing: Pairing,
): Promise<Answer | 'taken'> {
  for (const route of open) {
    const given = await route(call);
    if (given) return given;
  }
  if (call.path.startsWith('/api/')) {
    if (!pairing.admits(headerToken(call.request))) return { status: 401, body: { error: 'Unauthorized' } };
    for (const route of closed) {
      const given = await route(call);
      if (given) return given;
    }
    return { status: 404, body: { error: 'not_found', message: 'There is no such route.', path: call.path } };
  }
  if (call.request.method === 'GET' && call.path !== '/ws/chat')
    return { status: 503, body: { error: 'There is no dashboard here; see /health and /api.' } };
  return { status: 404, body: { error: 'not_found', message: 'There is no such route.', path: call.path } };
}

async function listTools(agents: ReadonlyMap<string, Agent>, alias: string): Promise<Answer> {
  const agent = agents.get(alias);
  if (agent) return { status: 200, body: { tools: await agent.catalogue.tools() } };
  return { status: 404, body: { error: `There is no agent of that name; there is ${[...agents.keys()].join(', ')}.` } };
}

function costOf(usage: GatewayPorts['usage'], { searchParams }: URL): object {
  const at = (name: string): number | undefined => {
    const value = searchParams.get(name);
    if (value === null) return undefined;
    const time = Date.parse(value);
    if (Number.isNaN(time)) throw new Refusal(400, { error: `${name} is no time; give it as 2026-01-31T00:00:00Z.` });
    return time;
  };
  return usage.describe(searchParams.get('agent') ?? undefined, at('from'), at('to'));
}

interface Accepted {
  readonly agent: Agent;
  readonly session: string;
  readonly name: string | undefined;
}

/** What an upgrade that may go on is for; otherwise the socket has been answered and closed. */
function acceptUpgrade(request: IncomingMessage, url: URL, socket: Duplex, ports: GatewayPorts): Accepted | undefined {
  if (withoutPrefix(url.pathname, ports.pathPrefix) !== '/ws/chat')
    return refuseUpgrade(socket, '404 Not Found', 'There is nothing here; chat is at /ws/chat.');
  if (!ports.pairing.admits(upgradeToken(request, url)))
    return refuseUpgrade(socket, '401 Unauthorized', 'Unauthorized: a bearer token of this pod is needed.');
  const agent = ports.agents.get(url.searchParams.get('agent') ?? '');
  if (!agent) {
    const known = [...ports.agents.keys()].join(', ');
    return refuseUpgrade(socket, '400 Bad Request', `The parameter agent must name an agent of this pod: ${known}.`);
  }
  const session = SessionStore.normalize(url.searchParams.get('session_id') ?? randomUUID());
  if (session === undefined) {
    const rule = 'session_id may hold up to 128 letters, digits, dots, dashes and underscores.';
    return refuseUpgrade(socket, '400 Bad Request', rule);
  }
  return { agent, session, name: url.searchParams.get('name') ?? undefined };
}

function refuseUpgrade(socket: Duplex, status: string, text: string): undefined {
  const length = Buffer.byteLength(text);
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
  return undefined;
}

/** A path outside the prefix is none of ours, and stays as it is so that nothing matches it. */
const withoutPrefix = (path: string, prefix: string): string =>
  prefix === '' ? path : path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : `:${path}`;

function urlOf(request: IncomingMessage): URL {
  return URL.parse(request.url ?? '/', 'http://pod') ?? new URL('http://pod/');
}
