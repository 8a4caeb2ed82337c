/** How the other runtime speaks to its model and its tools: as ZeroClaw's client does, down to its name and to what it does not understand. */
import http from 'node:http';

/** Calls back with `(failure, response)`; the body is the caller's to read. */
const post = (url, headers, body, signal, back) => {
  const text = JSON.stringify(body);
  const request = http.request(url, {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers },
  });
  request.on('response', (response) => back(undefined, response));
  request.on('error', (error) => back(error));
  request.end(text);
};

const whole = (response, back) => {
  const parts = [];
  response.on('data', (part) => parts.push(part));
  response.on('error', back);
  response.on('end', () => back(undefined, Buffer.concat(parts).toString('utf8')));
};

/** One connection to the tool server. `request(method, params, signal)` is a promise of the result; one at a time. */
export const toolConnection = (url, authorization) => {
  let session;
  let ready = false;
  let id = 100;
  let gate = Promise.resolve();

  const send = (message, signal) =>
    new Promise((resolve, reject) => {
      const headers = {
        Accept: 'application/json, text/event-stream',
        ...(authorization && { Authorization: authorization }),
        ...(session && { 'Mcp-Session-Id': session }),
      };
      post(url, headers, message, signal, (failure, response) => {
        if (failure) return reject(new Error(`the tool server cannot be reached (${failure.code ?? failure.message})`));
        whole(response, (broken, text) => {
          if (broken) return reject(broken);
          if (response.statusCode === 404 || response.statusCode === 410) {
            ready = false;
            session = undefined;
            return reject(new Error('session expired'));
          }
          if (response.statusCode >= 300) return reject(new Error(`status ${response.statusCode}`));
          session = response.headers['mcp-session-id'] ?? session;
          if (message.id === undefined) return resolve({});
          // It takes the first object for the answer, whatever it is.
          const first = /^\s*\{/.test(text) ? text : (/^data:(.*)$/m.exec(text)?.[1] ?? '{}');
          const answer = JSON.parse(first);
          if (answer.error) return reject(new Error(answer.error.message));
          if (answer.id !== message.id) return reject(new Error('the id of the answer does not match'));
          resolve(answer.result);
        });
      });
    });

  const greet = async (signal) => {
    const capabilities = { resources: {}, prompts: {} };
    await send(
      {
        params: { clientInfo: { version: '0.8.4', name: 'zeroclaw' }, capabilities, protocolVersion: '2024-11-05' },
        method: 'initialize',
        id: (id += 1),
        jsonrpc: '2.0',
      },
      signal,
    );
    await send({ method: 'notifications/initialized', jsonrpc: '2.0' }, signal);
    ready = true;
  };

  return {
    request(method, params, signal) {
      const turn = gate.then(async () => {
        if (!ready) await greet(signal);
        return send({ params, method, id: (id += 1), jsonrpc: '2.0' }, signal);
      });
      gate = turn.catch(() => undefined);
      return turn;
    },
  };
};

/** A promise of `{ text, calls, usage }`; `onText` hears each piece. */
export const askModel = ({ uri, model, key }, messages, tools, signal, onText) =>
  new Promise((resolve, reject) => {
    const body = {
      stream: true,
      stream_options: { include_usage: true },
      messages,
      model,
      ...(tools.length > 0 && { tools }),
    };
    post(
      `${uri.replace(/\/$/, '')}/chat/completions`,
      key ? { Authorization: `Bearer ${key}` } : {},
      body,
      signal,
      (failure, response) => {
        const provider = (message, code = 'PROVIDER_ERROR') => reject(Object.assign(new Error(message), { code }));
        if (failure) return provider(failure.message);
        if (response.statusCode !== 200)
          return whole(response, (_broken, text) =>
            provider(
              `status ${response.statusCode}: ${text}`,
              [401, 403].includes(response.statusCode) ? 'AUTH_ERROR' : 'PROVIDER_ERROR',
            ),
          );
        const got = { text: '', calls: [], usage: null, finished: false };
        let line = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
          line += part;
          const lines = line.split('\n');
          line = lines.pop();
          for (const one of lines) if (one.startsWith('data:')) take(one.slice(5).trim(), got, onText, provider);
        });
        response.on('error', (error) => provider(error.message));
        response.on('end', () => (got.finished ? resolve(got) : provider('the stream ended before its end')));
      },
    );
  });

const take = (data, got, onText, fail) => {
  if (data === '[DONE]') return;
  const { choices = [], usage, error } = JSON.parse(data);
  if (error) return fail(error.message ?? 'the provider failed');
  if (usage) got.usage = usage;
  for (const { delta = {}, finish_reason: finish } of choices) {
    if (delta.content) {
      got.text += delta.content;
      onText(delta.content);
    }
    for (const piece of delta.tool_calls ?? []) {
      const call = (got.calls[piece.index] ??= { id: '', name: '', arguments: '' });
      call.id ||= piece.id ?? '';
      call.name ||= piece.function?.name ?? '';
      call.arguments += piece.function?.arguments ?? '';
    }
    if (finish) got.finished = true;
  }
};
