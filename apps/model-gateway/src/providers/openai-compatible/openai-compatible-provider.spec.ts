import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collect, CONTRACT_TOOLS, modelProviderContract } from '../model-provider.contract.ts';
import type { ModelMessage, ModelProvider, ModelRequest } from '../model-provider.port.ts';
import { createOpenAiCompatibleProvider } from './openai-compatible-provider.ts';

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: { messages: { role: string; content: unknown }[]; tools?: unknown[]; model: string; stream: boolean };
}
type Answer = (response: ServerResponse, asked: Asked) => void;

/** A real server that speaks the OpenAI stream; each spec says how it answers. */
async function startServer(answer: Answer): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => answer(response, { headers: request.headers, body: JSON.parse(text) as Asked['body'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const USAGE = 'data: {"id":"c","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":5,"total_tokens":16}}\n\n';
const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** "call": a tool call whose name and arguments arrive in pieces, cut at odd places; anything else: three words. */
const answering =
  (usage: string): Answer =>
  (response, { body }) => {
    begin(response);
    const last = body.messages.at(-1)?.content;
    if (last !== 'call') {
      for (const word of ['one ', 'two ', 'three']) response.write(chunk({ content: word }));
      setTimeout(() => response.end(`${chunk({}, 'stop')}${usage}data: [DONE]\n\n`), 30);
      return;
    }
    const whole =
      chunk({
        role: 'assistant',
        tool_calls: [
          { index: 0, id: 'call_1', type: 'function', function: { name: 'platform__list_files', arguments: '' } },
        ],
      }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"direct' } }] }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: 'ory":"größe' } }] }) +
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }) +
      chunk({}, 'tool_calls') +
      usage +
      'data: [DONE]\n\n';
    const bytes = Buffer.from(whole);
    let sent = 0;
    const next = (): void => {
      // An odd number of bytes at a time cuts events, JSON and letters in the middle.
      if (sent >= bytes.length) return void response.end();
      response.write(bytes.subarray(sent, (sent += 97)));
      setImmediate(next);
    };
    next();
  };

const wellBehaved = answering(USAGE);

for (const reportsUsage of [true, false]) {
  modelProviderContract(`openai-compatible${reportsUsage ? '' : ' of a server that counts no tokens'}`, async () => {
    const { url, close } = await startServer(answering(reportsUsage ? USAGE : ''));
    return {
      provider: createOpenAiCompatibleProvider({ baseUrl: url, apiKey: 'sk-test', model: 'm', maxRetries: 0 }),
      reportsUsage,
      ask: { text: [{ role: 'user', content: 'text' }], call: [{ role: 'user', content: 'call' }] },
      close,
    };
  });
}

describe('the openai-compatible provider', () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });
  const start = async (answer: Answer, maxRetries = 0): Promise<ModelProvider> => {
    const { url, close } = await startServer(answer);
    open.push(close);
    return createOpenAiCompatibleProvider({ baseUrl: url, apiKey: 'sk-very-secret', model: 'm', maxRetries });
  };
  const ask = (
    messages: readonly ModelMessage[] = [{ role: 'user', content: 'hi' }],
    signal = new AbortController().signal,
  ): ModelRequest => ({
    model: 'openai-compatible/m',
    messages,
    tools: CONTRACT_TOOLS,
    signal,
  });

  it('joins a tool call that arrives in pieces, and reports the usage the server gave', async () => {
    const provider = await start(wellBehaved);
    const events = await collect(provider.stream(ask([{ role: 'user', content: 'call' }])));
    expect(events).toEqual([
      { type: 'tool_call', call: { id: 'call_1', name: 'platform__list_files', arguments: '{"directory":"größe"}' } },
      { type: 'finish', reason: 'tool_calls', usage: { inputTokens: 11, outputTokens: 5 } },
    ]);
  });

  it('sends the whole conversation, the tools and the key', async () => {
    let seen: Asked | undefined;
    const provider = await start((response, asked) => {
      seen = asked;
      wellBehaved(response, asked);
    });
    const call = { id: 'c1', name: 'platform__list_files', arguments: '{"directory":"a"}' };
    await collect(
      provider.stream(
        ask([
          { role: 'system', content: 'be brief' },
          { role: 'user', content: 'list' },
          { role: 'assistant', content: '', toolCalls: [call] },
          { role: 'tool', toolCallId: 'c1', content: 'a.txt' },
        ]),
      ),
    );
    expect(seen?.headers.authorization).toBe('Bearer sk-very-secret');
    expect(seen?.body).toMatchObject({
      model: 'm',
      stream: true,
      tools: [{ function: { name: 'platform__list_files' } }],
    });
    expect(seen?.body.messages).toMatchObject([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'list' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', function: { name: 'platform__list_files', arguments: '{"directory":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
    ]);
  });

  it.each<[string, Answer, string]>([
    ['a connection reset', (response) => void setTimeout(() => response.destroy(), 20), 'broken'],
    ['a clean end without a finish mark', (response) => void response.end(), 'broken'],
    ['an end mark without a finish mark', (response) => void response.end('data: [DONE]\n\n'), 'broken'],
    [
      'an error event',
      (response) => void response.end('data: {"error":{"message":"overloaded","type":"x"}}\n\n'),
      'broken',
    ],
    ['an event that is not JSON', (response) => void response.end('data: {oops\n\ndata: [DONE]\n\n'), 'broken'],
    ['a finish mark nobody knows', (response) => void response.end(`${chunk({}, 'error')}data: [DONE]\n\n`), 'broken'],
  ])('takes %s in the middle for an error, never for a short answer', async (_what, end, kind) => {
    const provider = await start((response, asked) => {
      begin(response).write(chunk({ content: 'half an ' }));
      end(response, asked);
    });
    const seen: string[] = [];
    const asked = (async () => {
      for await (const event of provider.stream(ask())) seen.push(event.type);
    })();
    await expect(asked).rejects.toMatchObject({ kind });
    expect(seen).not.toContain('finish');
  });

  it.each([
    [401, 'refused', /BRAVO_MODEL_API_KEY/],
    [400, 'refused', /because of this/],
    [429, 'unavailable', /cannot answer now/],
    [503, 'unavailable', /cannot answer now/],
  ])('reports status %i as %s without the key or the address', async (status, kind, message) => {
    const provider = await start(
      (response) =>
        void response
          .writeHead(status, { 'content-type': 'application/json' })
          .end('{"error":{"message":"because of this"}}'),
    );
    const asked = collect(provider.stream(ask()));
    await expect(asked).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
    await asked.catch((error: Error) => expect(error.message).not.toMatch(/sk-very|127\.0\.0\.1/));
  });

  it.each([
    ['the key', (key: string) => key],
    ['its beginning', (key: string) => `${key.slice(0, 8)}****`],
    ['its end', (key: string) => `***${key.slice(-7)}`],
  ])('never repeats a server that says %s, in an answer or in a stream', async (_, said) => {
    for (const status of [200, 400, 422]) {
      const provider = await start((response, { headers }) => {
        const words = `"You sent ${said(String(headers.authorization).replace('Bearer ', ''))}, try another"`;
        const error = `{"error":{"message":${words},"type":"x","code":"y"}}`;
        if (status === 200) return void begin(response).end(`data: ${error}\n\n`);
        response.writeHead(status, { 'content-type': 'application/json' }).end(error);
      });
      const failure = await collect(provider.stream(ask())).then(String, (error: Error) => error.message);
      expect(failure).toMatch(/You sent \[our key\],? try another/);
    }
  });

  it('says that a server which is not there cannot be reached', async () => {
    const { url, close } = await startServer(wellBehaved);
    await close();
    const provider = createOpenAiCompatibleProvider({ baseUrl: url, apiKey: '', model: 'm', maxRetries: 0 });
    await expect(collect(provider.stream(ask()))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('tries again while nothing has been answered', async () => {
    let attempts = 0;
    const provider = await start((response, asked) => {
      if (++attempts === 1) return void response.writeHead(503, { 'retry-after-ms': '1' }).end('{}');
      wellBehaved(response, asked);
    }, 1);
    expect((await collect(provider.stream(ask()))).at(-1)).toMatchObject({ type: 'finish' });
    expect(attempts).toBe(2);
  });

  it('closes its upstream when nobody waits any more', async () => {
    const stop = new AbortController();
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const provider = await start((response) => {
      begin(response).write(chunk({ content: 'half' }));
      response.on('close', closed);
    });
    const asked = (async () => {
      for await (const _event of provider.stream(ask(undefined, stop.signal))) stop.abort();
    })();
    await expect(asked).rejects.toThrow();
    await gone;
  });
});
