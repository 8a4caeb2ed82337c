/** What the other runtime does in a turn: rounds of model and tools, with its own ways of saying so. Nothing here is shared with ours. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { askModel, toolConnection } from './peers.mjs';

export const events = { kept: [], ears: new Set() };
export const tell = (type, more) => {
  const event = { at: Date.now(), channel: 'gateway', ...more, type };
  events.kept.push(event);
  if (events.kept.length > 500) events.kept.shift();
  // Duplicates are to be expected of it.
  for (const ear of events.ears) for (let i = 0; i < 2; i += 1) ear(event);
};
export const spent = { tokens: 0, requests: 0 };

export const connectTools = (settings) => {
  const connections = Object.entries(settings.servers).map(([name, { url, authorization }]) => ({
    name,
    ...toolConnection(url, authorization),
  }));
  return {
    async list(signal) {
      const found = [];
      for (const { name, request } of connections) {
        const { tools = [] } = await request('tools/list', {}, signal);
        for (const tool of tools)
          found.push({
            parameters: tool.inputSchema ?? {},
            description: tool.description ?? '',
            name: `${name}__${tool.name}`,
          });
      }
      return found;
    },
    async call(full, text, signal) {
      const connection = connections.find(({ name }) => full.startsWith(`${name}__`));
      if (!connection) return `Error: unknown tool ${full}`;
      try {
        const { approved: _never, ...given } = JSON.parse(text || '{}');
        const result = await connection.request(
          'tools/call',
          { arguments: given, name: full.slice(connection.name.length + 2) },
          signal,
        );
        if (result.isError)
          return `Error: ${(result.content ?? [])
            .map((part) => part.text ?? '')
            .join(' ')
            .slice(0, 500)}`;
        return JSON.stringify(result, null, 2).slice(0, 50_000);
      } catch (error) {
        if (signal.aborted) throw error;
        return `Error: ${error.message}`;
      }
    },
  };
};

/**
 * `say(type, fields)` hears everything, `steer()` gives what came meanwhile, `may(tool, text)` says whether a call is allowed.
 * Resolves with what `done` is made of.
 */
export const work = async ({ agent, model, tools, history, content, signal, say, steer, may }) => {
  const began = Date.now();
  const about = { agent_alias: agent, turn_id: randomBytes(6).toString('hex') };
  const messages = [
    { content: 'You are an agent. Use your tools.', role: 'system' },
    ...history,
    { content, role: 'user' },
  ];
  const listed = await tools.list(signal).catch(() => []);
  const offered = listed.map((tool) => ({ function: tool, type: 'function' }));
  const sums = { input: null, output: null, last: null };
  tell('agent_start', about);
  for (let round = 0; round < 10; round += 1) {
    for (const more of steer()) messages.push({ content: more, role: 'user' });
    tell('llm_request', about);
    let waiting = '';
    const answer = await askModel(model, messages, offered, signal, (piece) => {
      // It speaks in pieces of its own size, not in the model's.
      waiting += piece;
      while (waiting.length > 14) {
        const cut = /[\uD800-\uDBFF]/.test(waiting[6]) ? 8 : 7;
        say('chunk', { content: waiting.slice(0, cut), seq: round });
        waiting = waiting.slice(cut);
      }
    });
    if (waiting) say('chunk', { content: waiting, seq: round });
    if (answer.usage) {
      sums.last = answer.usage.prompt_tokens;
      sums.input = (sums.input ?? 0) + answer.usage.prompt_tokens;
      sums.output = (sums.output ?? 0) + answer.usage.completion_tokens;
    }
    messages.push({
      content: answer.text,
      role: 'assistant',
      ...(answer.calls.length > 0 && {
        tool_calls: answer.calls.map(({ id, name, arguments: text }) => ({
          function: { arguments: text, name },
          type: 'function',
          id,
        })),
      }),
    });
    if (answer.calls.length === 0) {
      const late = steer();
      if (late.length === 0) {
        const used = sums.input === null ? null : sums.input + sums.output;
        spent.tokens += used ?? 0;
        spent.requests += 1;
        tell('agent_end', { ...about, duration_ms: Date.now() - began, tokens_used: used });
        return { text: answer.text, used, ...sums };
      }
      for (const more of late) messages.push({ content: more, role: 'user' });
      continue;
    }
    say('plan', { entries: answer.calls.map(({ name }) => ({ title: name, status: 'next' })) });
    for (const { id, name, arguments: text } of answer.calls) {
      say('tool_call', { args: JSON.parse(text || '{}'), name, id, started_at: Date.now() });
      tell('tool_call_start', { ...about, tool: name });
      const since = Date.now();
      await pause(15, undefined, { signal });
      const output = (await may(name, text)) ? await tools.call(name, text, signal) : 'Error: denied by the user';
      signal.throwIfAborted();
      tell('tool_call', {
        ...about,
        success: !output.startsWith('Error:'),
        duration_ms: Date.now() - since,
        tool: name,
      });
      say('tool_result', { output, id, name, duration_ms: Date.now() - since });
      messages.push({ content: output, tool_call_id: id, role: 'tool' });
    }
  }
  throw Object.assign(new Error('too many rounds'), { code: 'AGENT_ERROR' });
};
