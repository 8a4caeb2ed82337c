/** What real servers do to a stream that a well-behaved mock does not: each is either read rightly or an error, and never a short answer. */
import { collect, CONTRACT_TOOLS, textOf } from '../model-provider.contract.ts';
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from '../model-provider.port.ts';
import type { ProviderEntry } from '../provider-entry.ts';
import {
  type Answer,
  type Asked,
  begin,
  chunk,
  DONE,
  dribble,
  entryAt,
  KEY,
  providerAt,
  type RawPeer,
  startRawPeer,
  USAGE,
} from './raw-peer.fixture.ts';
import { straightSocket } from '../straight-socket.fixture.ts';
import { createOutbound } from './outbound.ts';
import { retryAfterOf } from './provider-error.ts';
import { createVendorProvider } from './vendors.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});
const peerOf = async (answer: Answer): Promise<RawPeer> => {
  const peer = await startRawPeer(answer);
  open.push(peer.close);
  return peer;
};
const start = async (
  answer: Answer,
  more: Partial<ProviderEntry> = {},
  patience: Parameters<typeof providerAt>[2] = {},
): Promise<ModelProvider> => providerAt((await peerOf(answer)).url, more, patience);

const ask = (content: string | readonly ModelMessage[] = 'hi', more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  messages: typeof content === 'string' ? [{ role: 'user', content }] : content,
  tools: CONTRACT_TOOLS,
  signal: new AbortController().signal,
  ...more,
});
const toolPiece = (index: number, text: string, more: object = {}): string =>
  chunk({
    tool_calls: [
      { index, ...more, function: { arguments: text, ...('id' in more && { name: 'platform__list_files' }) } },
    ],
  });
const sse =
  (text: string): Answer =>
  (response) =>
    void begin(response).end(text);
const failureOf = (events: AsyncIterable<ModelEvent>): Promise<unknown> =>
  collect(events).then(String, (error) => error);

describe('a stream is read rightly', () => {
  const FINISHED = { type: 'finish', reason: 'stop', usage: { inputTokens: 11, outputTokens: 5 } };

  it.each<[string, string]>([
    [
      'with empty deltas',
      chunk({ role: 'assistant', content: '' }) +
        chunk({}) +
        chunk({ content: 'hi' }) +
        chunk({ content: '' }) +
        chunk({}, 'stop') +
        USAGE +
        DONE,
    ],
    [
      'with comments between its events',
      ': PROCESSING\n\n' + chunk({ content: 'hi' }) + ': PROCESSING\n\n' + chunk({}, 'stop') + ':\n\n' + USAGE + DONE,
    ],
    ['whose finish comes before its usage', chunk({ content: 'hi' }) + chunk({}, 'stop') + USAGE + DONE],
    ['without [DONE]', chunk({ content: 'hi' }) + chunk({}, 'stop') + USAGE],
    ['with CRLF line ends', (chunk({ content: 'hi' }) + chunk({}, 'stop') + USAGE + DONE).replaceAll('\n', '\r\n')],
    [
      'with fields nobody knows',
      `event: x\nid: 7\n${chunk({ content: 'hi', novel: [1] })}${chunk({}, 'stop')}${USAGE}${DONE}`,
    ],
  ])('%s', async (_what, text) => {
    const events = await collect((await start(sse(text))).stream(ask()));
    expect(textOf(events)).toBe('hi');
    expect(events.at(-1)).toEqual(FINISHED);
  });

  it('whose tool call is cut in the middle of its letters', async () => {
    const text =
      toolPiece(0, '', { id: 'call_1', type: 'function' }) +
      toolPiece(0, '{"direct') +
      toolPiece(0, 'ory":"größe 🌍') +
      toolPiece(0, '"}') +
      chunk({}, 'tool_calls') +
      USAGE +
      DONE;
    for (const size of [1, 7, 97]) {
      const provider = await start((response) => dribble(begin(response), text, size));
      expect(await collect(provider.stream(ask()))).toEqual([
        {
          type: 'tool_call',
          call: { id: 'call_1', name: 'platform__list_files', arguments: '{"directory":"größe 🌍"}' },
        },
        { type: 'finish', reason: 'tool_calls', usage: { inputTokens: 11, outputTokens: 5 } },
      ]);
    }
  });

  it('whose two tool calls come in turns', async () => {
    const text =
      toolPiece(0, '', { id: 'a', type: 'function' }) +
      toolPiece(1, '', { id: 'b', type: 'function' }) +
      toolPiece(0, '{"directory":') +
      toolPiece(1, '{"directory":"y') +
      toolPiece(0, '"x"}') +
      toolPiece(1, '"}') +
      chunk({}, 'tool_calls') +
      USAGE +
      DONE;
    const events = await collect((await start(sse(text))).stream(ask()));
    const calls = events.flatMap((event) => (event.type === 'tool_call' ? [event.call] : []));
    expect(calls.map(({ id, arguments: text }) => [id, text]).sort()).toEqual([
      ['a', '{"directory":"x"}'],
      ['b', '{"directory":"y"}'],
    ]);
  });

  it('that counts no tokens, which is null and never zero', async () => {
    const events = await collect((await start(sse(chunk({ content: 'hi' }) + chunk({}, 'stop') + DONE))).stream(ask()));
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: null, outputTokens: null } });
  });
});

describe('a stream is an error, never a short answer', () => {
  it.each<[string, Answer]>([
    ['a connection reset', (response) => void setTimeout(() => response.destroy(), 20)],
    ['a clean end without a finish mark', (response) => void response.end()],
    ['an end mark without a finish mark', (response) => void response.end(DONE)],
    ['an error object', (response) => void response.end('data: {"error":{"message":"overloaded","type":"x"}}\n\n')],
    ['an event that is not JSON', (response) => void response.end(`data: {oops\n\n${DONE}`)],
    ['a finish mark nobody knows', (response) => void response.end(`${chunk({}, 'error')}${DONE}`)],
    ['another schema', (response) => void response.end(`data: {"choices":"none"}\n\n${DONE}`)],
  ])('after %s in the middle [model.no-short-answer]', async (_what, end) => {
    const provider = await start((response, asked) => {
      begin(response).write(chunk({ content: 'half an ' }));
      end(response, asked);
    });
    const seen: string[] = [];
    const asked = (async () => {
      for await (const event of provider.stream(ask())) seen.push(event.type);
    })();
    await expect(asked).rejects.toMatchObject({ kind: 'broken' });
    expect(seen).not.toContain('finish');
  });

  it('after a tool call whose arguments never ended', async () => {
    const text = toolPiece(0, '{"directory":', { id: 'a', type: 'function' });
    const events: string[] = [];
    const provider = await start(sse(text + DONE));
    const asked = (async () => {
      for await (const event of provider.stream(ask())) events.push(event.type);
    })();
    await expect(asked).rejects.toMatchObject({ kind: 'broken' });
    expect(events).not.toContain('finish');
  });

  it('after a silence in the middle', async () => {
    const answer: Answer = (response) => void begin(response).write(chunk({ content: 'half' }));
    const provider = await start(answer, {}, { idleMs: 300 });
    expect(await failureOf(provider.stream(ask()))).toMatchObject({ kind: 'broken' });
  });
});

describe('an answer that never begins is one sentence with the setting to change', () => {
  const json =
    (status: number, body: object, headers: Record<string, string> = {}): Answer =>
    (response) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  const error = (message: string): object => ({ error: { message, type: 'x' } });

  it.each<[string, Answer, string, RegExp]>([
    [
      'a wrong key',
      json(401, error('Incorrect API key')),
      'unauthorized',
      /sealed secret SOME_KEY \(provider\.upstream\.env of the workspace settings\)/,
    ],
    ['a key of another region', json(403, error('not in this region')), 'unauthorized', /another region/],
    [
      'a model nobody knows',
      json(404, error('no such model')),
      'refused',
      /provider\.upstream\.models of the workspace settings/,
    ],
    ['a model that calls no tools', json(400, error('m does not support tools')), 'refused', /cannot call tools/],
    [
      'a window that is too small',
      json(400, error("This model's maximum context length is 10 tokens")),
      'refused',
      /longer than the model's window.*limit\.context/,
    ],
    ['too many requests', json(429, error('slow down'), { 'retry-after': '7' }), 'throttled', /no more requests/],
    ['an overload', json(529, error('overloaded')), 'unavailable', /status 529/],
    ['a broken server', json(502, {}), 'unavailable', /status 502/],
    [
      'an HTML error page',
      (response) => void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
      'unavailable',
      /status 503/,
    ],
    [
      'an HTML page',
      (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
      'refused',
      /web page/,
    ],
    [
      'a redirect',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      'unavailable',
      /options\.baseURL/,
    ],
    [
      'another schema',
      json(200, { hello: 'world' }),
      'broken',
      /check options\.baseURL|provider\.upstream\.options\.baseURL of the workspace settings/,
    ],
    [
      'a model of another region',
      json(400, error('The provided model identifier is invalid.')),
      'refused',
      /in its region.*provider\.upstream\.models of the workspace settings.*baseURL/,
    ],
    [
      'a token that has expired',
      json(403, error('The security token included in the request is expired')),
      'unauthorized',
      /expired.*sealed secret SOME_KEY/,
    ],
    [
      'an error of a stream that begins with it',
      sse('data: {"error":{"message":"bad","type":"x","code":400}}\n\n'),
      'refused',
      /refused the request/,
    ],
  ])('%s', async (_what, answer, kind, message) => {
    const failure = (await failureOf((await start(answer)).stream(ask()))) as Error;
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(failure.message).not.toMatch(/<h1>|127\.0\.0\.1|sk-very/);
  });

  it('says when the server wants to be asked again', async () => {
    const failure = await failureOf((await start(json(429, error('x'), { 'retry-after': '7' }))).stream(ask()));
    expect(failure).toMatchObject({ retryAfterMs: 7_000 });
    const at = Date.parse('2026-11-30T10:00:00Z');
    expect(retryAfterOf({ 'retry-after': 'Mon, 30 Nov 2026 10:00:05 GMT' }, at)).toBe(5_000);
    expect(retryAfterOf({ 'retry-after': 'soon' })).toBeUndefined();
    expect(retryAfterOf({ 'retry-after-ms': '12', 'retry-after': '9' })).toBe(12);
  });

  it('says where to keep a key that nobody keeps, and sends nothing', async () => {
    const peer = await peerOf(sse(DONE));
    const { fetch } = createOutbound({
      connectMs: 1_000,
      idleMs: 1_000,
      publicOnly: false,
      openSocket: straightSocket,
    });
    const parts = { fetch, readKey: () => Promise.resolve(undefined) };
    for (const [more, place] of [
      [{}, /sealed secret SOME_KEY/],
      [{ kind: 'amazon-bedrock', region: 'r', keyNames: [] }, /AWS_ACCESS_KEY_ID/],
      [{ kind: 'openai', keyNames: [], layer: 'environment' }, /BRAVO_MODEL_API_KEY/],
    ] as const) {
      const provider = createVendorProvider(entryAt(peer.url, more), parts);
      expect(await failureOf(provider.stream(ask()))).toMatchObject({
        kind: 'unauthorized',
        message: expect.stringMatching(place),
      });
    }
    expect(peer.asked).toEqual([]);
  });

  it('says that a server which is not there cannot be reached', async () => {
    const peer = await startRawPeer(sse(DONE));
    await peer.close();
    expect(await failureOf(providerAt(peer.url).stream(ask()))).toMatchObject({ kind: 'unavailable' });
  });

  it('connects to no private address that a tenant named, whatever leads to it', async () => {
    const peer = await peerOf(sse(chunk({ content: 'x' }) + chunk({}, 'stop') + DONE));
    // What egress answers for such a name is egress's own spec; here it is what becomes of that answer.
    for (const host of ['127.0.0.1', 'localhost', 'inside.example.com']) {
      const url = peer.url.replace('127.0.0.1', host);
      const failure = await failureOf(providerAt(url, {}, { publicOnly: true }).stream(ask()));
      expect(failure).toMatchObject({ message: expect.stringMatching(/no public host/) });
    }
    expect(peer.asked).toEqual([]);
  });
});

describe('keys', () => {
  it.each([
    ['the key', (key: string) => key],
    ['its beginning', (key: string) => `${key.slice(0, 8)}****`],
    ['its end', (key: string) => `***${key.slice(-7)}`],
  ])('are not repeated after a server that says %s [model.no-key] [secrets.nowhere]', async (_, said) => {
    for (const status of [200, 400, 401, 422, 429]) {
      const provider = await start((response, { headers }) => {
        const words = `"You sent ${said(String(headers.authorization).replace('Bearer ', ''))}, try another"`;
        const error = `{"error":{"message":${words},"type":"x","code":"y"}}`;
        if (status === 200) return void begin(response).end(`data: ${error}\n\n`);
        response.writeHead(status, { 'content-type': 'application/json' }).end(error);
      });
      const failure = (await failureOf(provider.stream(ask()))) as Error;
      expect(failure.message).toMatch(/\[our key\],? try another/);
    }
  });

  it('are sent to the endpoint, in the way of each vendor', async () => {
    const asked: Asked[] = [];
    const provider = await start((response, seen) => {
      asked.push(seen);
      sse(chunk({ content: 'x' }) + chunk({}, 'stop') + DONE)(response, seen);
    });
    await collect(provider.stream(ask()));
    expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('back-pressure and the end', () => {
  it('closes its upstream within a second when nobody waits any more [model.cancel]', async () => {
    const stop = new AbortController();
    const gone = Promise.withResolvers<number>();
    const provider = await start((response) => {
      begin(response).write(chunk({ content: 'half' }));
      response.on('close', () => gone.resolve(performance.now()));
    });
    let stopped = 0;
    const asked = (async () => {
      for await (const _event of provider.stream(ask('hi', { signal: stop.signal }))) {
        stopped = performance.now();
        stop.abort();
      }
    })();
    await expect(asked).rejects.toThrow();
    expect((await gone.promise) - stopped).toBeLessThan(1_000);
  });

  it('reads no more than a slow reader takes [model.back-pressure]', async () => {
    let sent = 0;
    const piece = chunk({ content: 'x'.repeat(16_384) });
    const provider = await start((response) => {
      begin(response);
      const more = (): void => {
        while (!response.destroyed && sent < 128 * 1024 * 1024) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
      };
      more();
    });
    const reader = provider.stream(ask())[Symbol.asyncIterator]();
    await reader.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    await reader.return?.();
  });
});
