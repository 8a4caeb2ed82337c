/** The other runtime's `/ws/chat` and the sessions behind it, all in memory. */
import { randomInt } from 'node:crypto';
import { accept } from './websocket.mjs';
import { connectTools, work } from './work.mjs';

/** id → `{ said: [{role, content, created_at}], name, agent, running, broken, eyes }` */
export const sessions = new Map();
export const bare = (id) => id.replace(/^gw_/, '');
export const sessionOf = (id, agent) => {
  if (!sessions.has(id)) sessions.set(id, { id, agent, said: [], eyes: new Set(), born: new Date().toISOString() });
  return sessions.get(id);
};
export const keep = (session, role, content) =>
  session.said.push({ created_at: new Date().toISOString(), content, role });

const TERMINAL = new Set(['AUTH_ERROR', 'PROVIDER_ERROR', 'AGENT_ERROR']);

export const openChat = (request, socket, protocol, query, settings) => {
  const alias = query.get('agent');
  const agent = settings.agents[alias];
  const session = sessionOf(bare(query.get('session_id') || `n${randomInt(1e9)}`), alias);
  if (query.get('name')) session.name = query.get('name');
  const questions = new Map();
  const always = new Set();
  const steering = [];
  let tools;
  let mine;
  const wire = accept(
    request,
    socket,
    protocol,
    (text) => hear(text),
    () => leave(),
  );
  // Its fields stand in another order, with more of them, and the type is the last.
  const say = (type, fields = {}) => wire.send(JSON.stringify({ v: 3, ...fields, ts: Date.now(), type }));
  const refuse = (code, message) => say('error', { code, message, retryable: false });
  const eye = (content) =>
    say('message', {
      timestamp: new Date().toISOString(),
      source: 'api',
      content,
      role: 'assistant',
      session_id: session.id,
    });
  session.eyes.add(eye);

  const leave = () => {
    session.eyes.delete(eye);
    for (const decide of questions.values()) decide('deny');
    mine?.abort();
  };

  const may = (tool, text) => {
    if (!agent.asks || agent.free.includes(tool) || always.has(tool)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const id = `q-${randomInt(1e9)}`;
      const decide = (decision) => {
        clearTimeout(late);
        questions.delete(id);
        if (decision === 'always') always.add(tool);
        resolve(decision === 'approve' || decision === 'always');
      };
      const late = setTimeout(() => decide('deny'), 120_000);
      questions.set(id, decide);
      say('approval_request', {
        timeout_secs: 120,
        arguments_summary: text.slice(0, 80),
        risk: 'medium',
        tool,
        request_id: id,
      });
    });
  };

  const turn = async (content) => {
    if (!agent.model) {
      refuse('NEEDS_ONBOARDING', 'there is no model yet');
      return wire.close(1011);
    }
    if (session.running) return refuse('SESSION_QUEUE_FULL', 'busy');
    mine = session.running = new AbortController();
    session.since = Date.now();
    session.broken = false;
    const asked = [content];
    const steer = () => {
      const now = steering.splice(0);
      asked.push(...now);
      return now;
    };
    let end;
    try {
      const history = session.said.map(({ role, content: text }) => ({ content: text, role }));
      say('thinking', { content: 'hm' });
      const got = await work({
        agent: alias,
        model: agent.model,
        tools,
        history,
        content,
        signal: mine.signal,
        say,
        steer,
        may,
      });
      end = [
        'done',
        {
          max_context_tokens: 128_000,
          cost_usd: got.used === null ? null : 0,
          provider: agent.provider,
          model: agent.model.model,
          tokens_used: got.used,
          last_input_tokens: got.last,
          output_tokens: got.output,
          input_tokens: got.input,
          full_response: got.text,
          finish: 'stop',
        },
      ];
      keep(session, 'user', asked.join('\n'));
      keep(session, 'assistant', got.text);
    } catch (error) {
      session.broken = !mine.signal.aborted;
      end = mine.signal.aborted
        ? ['aborted', {}]
        : ['error', { code: TERMINAL.has(error.code) ? error.code : 'AGENT_ERROR', message: error.message }];
      keep(session, 'user', asked.join('\n'));
    }
    session.running = mine = undefined;
    // The end comes a little after the last word.
    setTimeout(() => say(...end), 30);
  };

  const hear = (text) => {
    let frame;
    try {
      frame = JSON.parse(text);
    } catch {
      return refuse('INVALID_JSON', 'not json');
    }
    // The agent is made after the first frame of its client.
    tools ??= connectTools(agent);
    if (frame?.type === 'connect') return say('connected', { message: 'hello', server: 'other' });
    if (frame?.type === 'approval_response') {
      const decide = questions.get(frame.request_id);
      return decide ? decide(frame.decision) : refuse('INVALID_APPROVAL_RESPONSE', 'nothing was asked');
    }
    if (frame?.type !== 'message') return refuse('UNKNOWN_MESSAGE_TYPE', 'what is that?');
    if (typeof frame.content !== 'string' || !frame.content.trim()) return refuse('EMPTY_CONTENT', 'say something');
    if (!mine) return void turn(frame.content);
    if (steering.length >= 32) return refuse('STEERING_QUEUE_FULL', 'too much');
    steering.push(frame.content);
  };

  setTimeout(() => {
    say('session_start', {
      name: session.name,
      message_count: session.said.length,
      resumed: session.said.length > 0,
      session_id: session.id,
      server_version: '0.8.5',
    });
    say('weather', { sky: 'clear' });
  }, 20);
};
