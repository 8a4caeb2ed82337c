/** An OpenAI-compatible server whose answers are told by the person's words, so that a real pod makes exactly the calls a test wants. It keeps all it is asked: that is what the planner learns. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedModel {
  readonly baseUrl: string;
  /** Bodies of the requests. */
  readonly asked: string[];
  close(): Promise<void>;
}

interface Chat {
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

const stream = (response: ServerResponse, delta: object, reason: string): void => {
  const chunk = (choice: object, more: object = {}) => `data: ${JSON.stringify({ id: 'scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted', choices: [{ index: 0, finish_reason: null, delta: {}, ...choice }], ...more })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${chunk({ delta: { role: 'assistant', ...delta } })}${chunk({ finish_reason: reason }, { usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })}data: [DONE]\n\n`);
};

/** `call TOOL {json}` calls it; `fail STATUS` and `fail stream` fail and say the key they were given, as careless servers do. */
const answer = (chat: Chat, key: string, response: ServerResponse): void => {
  const last = chat.messages.at(-1);
  const words = last?.content ?? '';
  const careless = { error: { message: `Incorrect API key provided: ${key}`, type: 'invalid_request_error', code: 'invalid_api_key' } };
  const failure = /\bfail (\d{3}|stream)/.exec(words);
  if (last?.role === 'user' && failure?.[1] === 'stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(careless)}\n\n`);
  } else if (last?.role === 'user' && failure) {
    response.writeHead(Number(failure[1]), { 'content-type': 'application/json' }).end(JSON.stringify(careless));
  } else {
    const [, tool, args] = (last?.role === 'user' && /\bcall (\w+) (\{.*\})/s.exec(words)) || [];
    const name = chat.tools?.map((offered) => offered.function.name).find((offered) => tool !== undefined && offered.endsWith(tool));
    if (name) stream(response, { tool_calls: [{ index: 0, id: `call_${chat.messages.length}`, type: 'function', function: { name, arguments: args } }] }, 'tool_calls');
    else stream(response, { content: `I was told: ${words}` }, 'stop');
  }
};

export const startScriptedModel = async (): Promise<ScriptedModel> => {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked.push(body);
      answer(JSON.parse(body) as Chat, request.headers.authorization?.replace('Bearer ', '') ?? '', response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
