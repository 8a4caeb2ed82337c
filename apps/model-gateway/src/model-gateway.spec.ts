import 'reflect-metadata';
import { waitUntil } from '@bravo/testing';
import { ModelProviderError } from './providers/model-provider.port.ts';
import type { ResolveAgentTokenResponse } from '@bravo/proto/identity';
import { bound, startModelGateway } from './testing/start-model-gateway.fixture.ts';
import type { RunningModelGateway } from './testing/start-model-gateway.fixture.ts';

let gateway: RunningModelGateway;
beforeAll(async () => void (gateway = await startModelGateway()));
afterEach(() => void (gateway.behave = gateway.demo.stream));
afterAll(async () => gateway?.stop());

let tokenNumber = 0;
/** A token nobody used before, so that no spec meets another's cache. */
const newToken = (answer: ResolveAgentTokenResponse): string => {
  const token = `bwt_bravo_${(tokenNumber += 1)}`;
  gateway.tokens.set(token, answer);
  return token;
};
const workspaceOf = (): string => `ws_${(tokenNumber += 1)}`;

const post = (token: string | undefined, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
const hello = { model: 'default', messages: [{ role: 'user', content: 'hello' }] };
const rowsOf = (workspaceId: string) => gateway.database.modelCall.findMany({ where: { workspaceId } });
const dataOf = (text: string): string[] =>
  text.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [event.slice(6)] : []));

describe('chat completions', () => {
  it('streams chunks, ends with usage and [DONE], and keeps one row', async () => {
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), {
      ...hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/text\/event-stream/);
    const events = dataOf(await response.text());
    expect(events.at(-1)).toBe('[DONE]');
    const chunks = events.slice(0, -1).map(
      (data) =>
        JSON.parse(data) as {
          model: string;
          choices: { delta: { content?: string; role?: string }; finish_reason: string | null }[];
          usage?: object;
        },
    );
    expect(chunks[0]).toMatchObject({
      object: 'chat.completion.chunk',
      model: 'demo',
      choices: [{ delta: { role: 'assistant' } }],
    });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toMatch(/^\(demo planner\) Hello/);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    });
    const [row, ...more] = await rowsOf(workspace);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      userId: 'usr_alice',
      conversationId: 'cnv_1',
      podId: 'pod_1',
      model: 'demo',
      status: 'completed',
    });
    expect(row?.inputTokens).toBeGreaterThan(0);
    expect(row?.finishedAt).not.toBeNull();
  });

  it('answers as a whole, with a tool call', async () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'platform__list_files', parameters: { type: 'object', properties: { directory: {} } } },
      },
    ];
    const response = await post(newToken(bound(workspaceOf())), {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'list files in src' }] }],
      tools,
    });
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'demo',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            tool_calls: [
              { type: 'function', function: { name: 'platform__list_files', arguments: '{"directory":"src"}' } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: expect.any(Number) },
    });
  });

  it.each<[string, number, string, () => Promise<Response>]>([
    ['no token', 401, 'unauthenticated', () => post(undefined, hello)],
    ['an unknown token', 401, 'unauthenticated', () => post('bwt_bravo_unknown', hello)],
    [
      'an expired token',
      401,
      'unauthenticated',
      () => post(newToken(bound('ws_x', { expiresAt: new Date(Date.now() - 1) })), hello),
    ],
    [
      'a token without an expiry',
      401,
      'unauthenticated',
      () => post(newToken({ ...bound('ws_x'), expiresAt: undefined }), hello),
    ],
    [
      'a token bound to nobody',
      403,
      'token_unbound',
      () => post(newToken(bound('', { bound: false, userId: '', conversationId: '' })), hello),
    ],
    [
      'a model that is not offered',
      404,
      'not_found',
      () => post(newToken(bound('ws_x')), { ...hello, model: 'gpt-99' }),
    ],
    ['no messages', 400, 'invalid_argument', () => post(newToken(bound('ws_x')), { model: 'default', messages: [] })],
    [
      'a picture',
      400,
      'invalid_argument',
      () =>
        post(newToken(bound('ws_x')), {
          messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }],
        }),
    ],
    ['no body', 400, 'invalid_argument', () => post(newToken(bound('ws_x')), '')],
    ['a body that is not JSON', 400, 'invalid_argument', () => post(newToken(bound('ws_x')), '{')],
    ['an unknown route', 404, 'not_found', () => fetch(`${gateway.url}/v1/embeddings`)],
  ])('refuses %s in the OpenAI shape [hostile.models]', async (_what, status, code, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code, message: expect.any(String), type: expect.any(String) },
    });
  });

  it('answers with an error status when nothing was said before the failure', async () => {
    gateway.behave = async function* fail() {
      throw new ModelProviderError('unavailable', 'The model cannot be reached.');
    };
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), { ...hello, stream: true });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      error: { code: 'model_unavailable', message: 'The model cannot be reached.' },
    });
    expect(await rowsOf(workspace)).toMatchObject([{ status: 'failed', failure: 'unavailable' }]);
  });

  it.each<[string, () => void]>([
    [
      'a thrown error',
      () => {
        throw new ModelProviderError('broken', 'It was cut off.');
      },
    ],
    ['a silent end', () => undefined],
  ])('ends a stream that is cut off by %s with an error and no [DONE]', async (_what, end) => {
    gateway.behave = async function* cut() {
      yield { type: 'text', delta: 'half an ' };
      end();
    };
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), { ...hello, stream: true });
    const events = dataOf(await response.text());
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[1] ?? '')).toMatchObject({
      error: { code: 'model_failed', message: expect.stringMatching(/cut off/) },
    });
    expect(await rowsOf(workspace)).toMatchObject([{ status: 'failed', failure: 'broken', inputTokens: null }]);
  });

  it('does not tell the text of an unexpected error', async () => {
    gateway.behave = async function* fail() {
      throw new Error('secret detail');
    };
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), hello);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/secret detail/);
    expect(await rowsOf(workspace)).toMatchObject([{ status: 'failed', failure: 'internal' }]);
  });

  it.each([true, false])('stops the provider when the client goes away (stream: %s)', async (stream) => {
    const stopped = new Promise<void>((resolve) => {
      gateway.behave = async function* endless({ signal }) {
        signal.addEventListener('abort', () => resolve(), { once: true });
        yield { type: 'text', delta: 'one ' };
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        );
      };
    });
    const workspace = workspaceOf();
    const gone = new AbortController();
    const asked = post(newToken(bound(workspace)), { ...hello, stream }, gone.signal).then((response) =>
      response.text(),
    );
    await waitUntil('the call to be in the ledger', async () => (await rowsOf(workspace)).length === 1);
    gone.abort();
    await expect(asked).rejects.toThrow();
    await stopped;
    await waitUntil('the call to end as cancelled', async () => (await rowsOf(workspace))[0]?.status === 'cancelled');
  });

  it('makes no call that the ledger does not hold', async () => {
    let asked = false;
    gateway.behave = (request) => {
      asked = true;
      return gateway.demo.stream(request);
    };
    await gateway.asOwner('ALTER TABLE model_calls RENAME TO model_calls_away');
    try {
      const response = await post(newToken(bound(workspaceOf())), hello);
      expect(response.status).toBe(500);
      expect(asked).toBe(false);
    } finally {
      await gateway.asOwner('ALTER TABLE model_calls_away RENAME TO model_calls');
    }
  });

  it('keeps what identity said, a refusal too, for less than a second', async () => {
    const token = newToken(bound(workspaceOf()));
    const before = gateway.resolved;
    expect((await post(token, hello)).status).toBe(200);
    expect((await post(token, hello)).status).toBe(200);
    expect(gateway.resolved).toBe(before + 1);
    gateway.tokens.delete(token);
    await waitUntil('the revoked token to be refused', async () => (await post(token, hello)).status === 401, {
      timeoutMs: 1_500,
    });
    const refused = gateway.resolved;
    for (let time = 0; time < 20; time += 1) expect((await post(token, hello)).status).toBe(401);
    expect(gateway.resolved).toBeLessThanOrEqual(refused + 2);
    gateway.tokens.set(token, bound(workspaceOf()));
    await waitUntil('the token to be let in', async () => (await post(token, hello)).status === 200, { timeoutMs: 1_500 });
  });

  it('answers a pod that was given a conversation at once, however often it was refused without', async () => {
    const token = newToken(bound('', { bound: false, userId: '', conversationId: '' }));
    for (let time = 0; time < 5; time += 1) expect((await post(token, hello)).status).toBe(403);
    gateway.tokens.set(token, bound(workspaceOf()));
    expect((await post(token, hello)).status).toBe(200);
  });
});

describe('models', () => {
  it('are listed for pods, with a token only', async () => {
    expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(401);
    const response = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${newToken(bound('ws_x'))}` },
    });
    expect(await response.json()).toEqual({
      object: 'list',
      data: [{ id: 'demo', object: 'model', created: 0, owned_by: 'demo' }],
    });
  });

  it('are listed for the gateway and for no other service', async () => {
    const client = await gateway.clientOf('gateway');
    const subject = { userId: 'usr_alice', workspaceId: workspaceOf() };
    expect(await client.listModels({ search: '' }, { subject })).toMatchObject({
      models: [{ id: 'demo', demo: true }],
      defaultModel: 'demo',
    });
    const broker = await gateway.clientOf('broker');
    await expect(broker.listModels({ search: '' })).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

describe('usage', () => {
  it('is told by day, user and model, of the own workspace only', async () => {
    const [mine, other] = [workspaceOf(), workspaceOf()];
    for (const token of [newToken(bound(mine)), newToken(bound(mine, { userId: 'usr_bob' })), newToken(bound(other))]) {
      expect((await post(token, hello)).status).toBe(200);
    }
    expect((await post(newToken(bound(mine)), hello)).status).toBe(200);
    const client = await gateway.clientOf('gateway');
    const { rows } = await client.listTokenUsage(
      { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 1_000) },
      { subject: { userId: 'usr_alice', workspaceId: mine } },
    );
    expect(rows).toMatchObject([
      { userId: 'usr_alice', model: 'demo', requests: 2, day: new Date().toISOString().slice(0, 10) },
      { userId: 'usr_bob', model: 'demo', requests: 1 },
    ]);
    expect(rows[0]?.inputTokens).toBeGreaterThan(0);
    const past = { from: new Date('2020-01-01'), to: new Date('2020-02-01') };
    expect(await client.listTokenUsage(past, { subject: { userId: 'usr_alice', workspaceId: mine } })).toEqual({
      rows: [],
    });
    await expect(client.listTokenUsage(past)).rejects.toMatchObject({ code: 'permission_denied' });
    for (const period of [
      { from: past.to, to: past.from },
      { from: undefined, to: past.to },
      { from: past.from, to: undefined },
    ]) {
      await expect(
        client.listTokenUsage(period, { subject: { userId: 'u', workspaceId: mine } }),
      ).rejects.toMatchObject({ code: 'invalid_argument' });
    }
  });
});

describe('health', () => {
  it('is told without a token, and problems elsewhere keep their own shape', async () => {
    expect(await (await fetch(`${gateway.url}/readyz`)).json()).toEqual({
      status: 'ok',
      checks: { database: 'ok', identity: 'ok' },
    });
    const response = await fetch(`${gateway.url}/nothing`);
    expect(response.headers.get('content-type')).toMatch(/problem\+json/);
  });
});
