import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createModelClient } from './call-model.client.ts';

let server: Server;
let respond: (request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>) => void;
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => respond(request, response, JSON.parse(text) as Record<string, unknown>));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ model: 'm1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

async function ask(signal = new AbortController().signal) {
  const said: string[] = [];
  const call = createModelClient(url(), 'default', 'bwt_bravo_secret');
  const tools = [{ name: 'platform__read_file', description: 'reads', parameters: { type: 'object' } }];
  const answer = await call([{ role: 'user', content: 'hi' }], tools, (delta) => said.push(delta), signal);
  return { answer, said };
}

describe('asking the model', () => {
  it('streams text, joins tool calls that arrive in pieces, and reports usage', async () => {
    let seen: Record<string, unknown> = {};
    respond = (request, response, body) => {
      seen = { ...body, authorization: request.headers.authorization, path: request.url };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'Hel' }) + chunk({ content: 'lo' }).slice(0, 20));
      setTimeout(() => {
        response.write(chunk({ content: 'lo' }).slice(20));
        response.write(
          chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'platform__read_file', arguments: '{"pa' } }] }),
        );
        response.write(chunk({ tool_calls: [{ index: 0, function: { arguments: 'th":"a"}' } }] }));
        response.write(chunk({}, 'tool_calls'));
        response.end('data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\ndata: [DONE]\n\n');
      }, 10);
    };
    const { answer, said } = await ask();
    expect(said).toEqual(['Hel', 'lo']);
    expect(answer).toEqual({
      text: 'Hello',
      toolCalls: [{ id: 'c1', name: 'platform__read_file', arguments: '{"path":"a"}' }],
      usage: { inputTokens: 7, outputTokens: 3 },
      model: 'm1',
    });
    expect(seen).toMatchObject({
      model: 'default',
      stream: true,
      authorization: 'Bearer bwt_bravo_secret',
      path: '/v1/chat/completions',
    });
  });

  it.each([
    ['a clean end without a finish mark', (response: ServerResponse) => response.end(), /cut off/],
    [
      'a connection reset',
      (response: ServerResponse) => response.socket?.destroy(),
      /connection to the model gateway failed/,
    ],
    [
      'an error event',
      (response: ServerResponse) => response.end('data: {"error":{"message":"the provider stopped"}}\n\n'),
      /the provider stopped/,
    ],
    ['an event that is not JSON', (response: ServerResponse) => response.end('data: {\n\n'), /not JSON/],
  ])('takes %s in the middle for an error', async (_what, end, message) => {
    respond = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ content: 'half' }));
      setTimeout(() => end(response), 20);
    };
    await expect(ask()).rejects.toMatchObject({ code: 'PROVIDER_ERROR', message: expect.stringMatching(message) });
  });

  it.each([
    [401, 'AUTH_ERROR'],
    [403, 'AUTH_ERROR'],
    [503, 'PROVIDER_ERROR'],
  ])('reports status %i as %s with the reason the gateway gave', async (status, code) => {
    respond = (_request, response) => response.writeHead(status).end('{"error":{"message":"because"}}');
    await expect(ask()).rejects.toMatchObject({ code, message: 'because' });
  });

  it('stops when its signal does', async () => {
    const stop = new AbortController();
    const closed = new Promise<void>((resolve) => {
      respond = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk({ content: 'half' }));
        response.on('close', resolve);
        setTimeout(() => stop.abort(), 20);
      };
    });
    await expect(ask(stop.signal)).rejects.toThrow();
    await closed;
  });
});
