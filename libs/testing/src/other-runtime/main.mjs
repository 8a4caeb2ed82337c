/**
 * A second runtime of the pod contract, written from the contract's digest alone and on purpose unlike ours: no library,
 * everything in memory, other timing, other order of fields, more fields, frames nobody knows and messages in pieces.
 * It is for tests; whoever works with both of them relies on the contract and on nothing else.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import http from 'node:http';
import { bare, keep, openChat, sessions } from './chat.mjs';
import { readSettings } from './settings.mjs';
import { connectTools, events, spent, work } from './work.mjs';

let settings;
try {
  settings = readSettings(process.env);
} catch (error) {
  process.stderr.write(`other-runtime: ${error.message}\n`);
  process.exit(2);
}
process.on('SIGTERM', () => process.exit(0));

const hashes = new Set(settings.hashes);
const hashOf = (text) =>
  createHash('sha256')
    .update(text ?? '')
    .digest('hex');
const bearer = (request) => /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
let code = hashes.size === 0 ? String(randomInt(1e6)).padStart(6, '0') : undefined;
let guesses = 0;
const seen = new Set();
const memory = new Map();
const catalogues = {};
/** Nothing is answered before the tools were listed or could not be: so boots the one it is modelled on. */
const booted = Promise.all(
  Object.entries(settings.agents).map(
    async ([alias, agent]) =>
      (catalogues[alias] = await connectTools(agent)
        .list(AbortSignal.timeout(30_000))
        .catch(() => [])),
  ),
);

const bodyOf = (request) =>
  new Promise((resolve, reject) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
      if (text.length > 65_536) reject(Object.assign(new Error('too large'), { status: 413 }));
    });
    request.on('end', () => resolve(text));
  });
const json = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    throw Object.assign(new Error('that is no JSON'), { status: 400 });
  }
};

const pair = (request) => {
  if (guesses >= 5) return [429, { retry_after: 300, error: 'locked out' }];
  if (code === undefined || request.headers['x-pairing-code'] !== code) {
    guesses += 1;
    return [403, { error: 'wrong code' }];
  }
  const token = `zc_${randomBytes(32).toString('hex')}`;
  appendFileSync(`${settings.directory}/paired`, `${hashOf(token)}\n`);
  hashes.add(hashOf(token));
  code = undefined;
  return [200, { message: 'paired', token, persisted: true, paired: true }];
};

const webhook = async (request, response, query) => {
  const text = await bodyOf(request);
  if (!hashes.has(hashOf(bearer(request)))) return [401, { error: 'no' }];
  const { message } = json(text);
  const alias = query.get('agent') ?? Object.keys(settings.agents)[0];
  const agent = settings.agents[alias];
  if (!agent) return [400, { error: `agent ${alias} is unknown` }];
  const key = request.headers['x-idempotency-key'];
  if (key && seen.has(key)) return [200, { message: 'seen before', idempotent: true, status: 'duplicate' }];
  if (key) seen.add(key);
  if (!agent.model) return [503, { url: '/start', error: 'needs_quickstart' }];
  const stop = new AbortController();
  response.on('close', () => stop.abort());
  const late = setTimeout(() => stop.abort('late'), settings.timeoutMs);
  const may = (tool) => Promise.resolve(!agent.asks || agent.free.includes(tool));
  try {
    const got = await work({
      agent: alias,
      model: agent.model,
      tools: connectTools(agent),
      history: [],
      content: `[now] ${message}`,
      signal: stop.signal,
      say: () => undefined,
      steer: () => [],
      may,
    });
    return [200, { model: agent.model.model, response: got.text, took: 1 }];
  } catch {
    return stop.signal.reason === 'late' ? [408, { error: 'late' }] : [500, { error: 'LLM request failed' }];
  } finally {
    clearTimeout(late);
  }
};

const inSession = async (request, id, verb) => {
  const session = sessions.get(bare(id));
  if (verb === 'abort') {
    const running = session?.running;
    running?.abort();
    return [200, { status: running ? 'aborted' : 'no_active_response' }];
  }
  if (!session) return [404, { error: 'no such session' }];
  if (verb === 'state')
    return [
      200,
      {
        ...(session.running && { turn_started_at: session.since, turn_id: 'x' }),
        state: session.running ? 'running' : session.broken ? 'error' : 'idle',
        session_id: session.id,
      },
    ];
  if (verb === 'messages' && request.method === 'GET')
    return [200, { session_persistence: false, messages: session.said, session_id: session.id }];
  if (verb === 'messages') {
    const { content } = json(await bodyOf(request));
    if (!content) return [400, { error: 'content' }];
    keep(session, 'assistant', content);
    for (const eye of session.eyes) eye(content);
    return [200, { ok: true }];
  }
  if (request.method === 'PUT') return [200, { name: (session.name = json(await bodyOf(request)).name) }];
  session.running?.abort();
  sessions.delete(session.id);
  return [200, { deleted: true }];
};

const api = async (request, response, path, query) => {
  if (path === '/api/tools') return [200, { tools: catalogues[query.get('agent')] ?? [] }];
  if (path === '/api/status') return [200, { memory: 'map', model: '?', version: '0.8.5' }];
  if (path === '/api/cost')
    return [
      200,
      {
        cost: {
          by_agent: {},
          by_model: {},
          request_count: spent.requests,
          total_tokens: spent.tokens,
          monthly_cost_usd: 0,
          daily_cost_usd: 0,
          session_cost_usd: 0,
        },
      },
    ];
  if (path === '/api/events/history') return [200, { events: events.kept }];
  if (path === '/api/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    const ear = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    events.ears.add(ear);
    response.on('close', () => events.ears.delete(ear));
    return undefined;
  }
  if (path === '/api/sessions')
    return [
      200,
      {
        sessions: [...sessions.values()].map(({ id, agent, said, name, born }) => ({
          name,
          channel_id: 'ws',
          agent_alias: agent,
          message_count: said.length,
          last_activity: born,
          created_at: born,
          session_key: `gw_${id}`,
          session_id: id,
        })),
      },
    ];
  const [, id, verb] = /^\/api\/sessions\/([^/]+)(?:\/(abort|state|messages))?$/.exec(path) ?? [];
  if (id) return inSession(request, decodeURIComponent(id), verb);
  if (path === '/api/memory' && request.method === 'GET')
    return [200, { entries: [...memory.values()].filter(({ content }) => content.includes(query.get('query') ?? '')) }];
  if (path === '/api/memory') {
    const entry = json(await bodyOf(request));
    memory.set(entry.key, entry);
    return [200, { status: 'ok' }];
  }
  if (path.startsWith('/api/memory/')) return [200, { deleted: memory.delete(path.slice(12)), status: 'ok' }];
  return [404, { path, message: 'nothing here', error: 'not_found' }];
};

const answer = async (request, response, { pathname: path, searchParams: query }) => {
  await booted;
  if (path === '/health')
    return [
      200,
      {
        runtime: {
          components: { gateway: { status: 'ok' } },
          uptime_seconds: process.uptime(),
          updated_at: new Date().toISOString(),
          pid: process.pid,
        },
        require_pairing: true,
        paired: hashes.size > 0,
        status: 'ok',
      },
    ];
  if (path === '/pair/code') return [200, { pairing_code: code ?? null }];
  if (path === '/pair') return pair(request);
  if (path === '/webhook') return webhook(request, response, query);
  if (!path.startsWith('/api/')) return [503, { error: 'no dashboard' }];
  if (!hashes.has(hashOf(bearer(request)))) return [401, { error: 'no' }];
  return api(request, response, path, query);
};

const urlOf = (request) => new URL(request.url, 'http://other');
const server = http.createServer((request, response) => {
  answer(request, response, urlOf(request))
    .catch((error) => [error.status ?? 500, { error: error.message }])
    .then((given) => {
      if (given === undefined || response.headersSent) return;
      response.writeHead(given[0], {
        'Content-Type': 'application/json; charset=utf-8',
        ...(given[0] === 413 && { connection: 'close' }),
      });
      response.end(JSON.stringify(given[1], null, 1));
    });
});
server.on('upgrade', (request, socket) => {
  const { pathname, searchParams: query } = urlOf(request);
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  const inProtocol = offered.find((one) => one.startsWith('bearer.'))?.slice(7);
  const token = request.headers.authorization === undefined ? (inProtocol ?? query.get('token')) : bearer(request);
  const no = (status) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  if (pathname !== '/ws/chat') return no(404);
  if (!hashes.has(hashOf(token))) return no(401);
  if (!settings.agents[query.get('agent')]) return no(400);
  openChat(request, socket, offered.includes('zeroclaw.v1') ? 'zeroclaw.v1' : undefined, query, settings);
});
server.listen(settings.port, settings.host);
