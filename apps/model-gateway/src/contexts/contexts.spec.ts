/** A conversation that outgrows its model, over real HTTP and gRPC: shortened in the request alone, said, counted, and refused with a sentence where nothing helps. */
import 'reflect-metadata';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@bravo/testing';
import { PATIENCE } from '../attempts/patience.ts';
import { type RawPeer, startRawPeer } from '../providers/ai-sdk/raw-peer.fixture.ts';
import { ModelProviderError, type ModelRequest } from '../providers/model-provider.port.ts';
import { bound, type RunningModelGateway, startModelGateway } from '../testing/start-model-gateway.fixture.ts';

const WORKSPACE = 'ws_contexts';
let gateway: RunningModelGateway;
let service: RunningModelGateway;
beforeAll(async () => {
  // The demo planner writes no summaries; the other is a language model of a small window.
  [gateway, service] = await Promise.all([
    startModelGateway({ contextTokens: 2_048 }),
    startModelGateway({ contextTokens: 2_048 }, { demo: false, label: 'Small' }),
  ]);
});
afterEach(() => {
  for (const each of [gateway, service]) each.behave = each.demo.stream;
});
afterAll(async () => void (await Promise.all([gateway?.stop(), service?.stop()])));

let n = 0;
const begin = (where: RunningModelGateway, userId = 'usr_alice') => {
  const conversationId = `cnv_ctx${(n += 1)}`;
  const token = `bwt_bravo_ctx${n}`;
  where.tokens.set(token, bound(WORKSPACE, { conversationId, userId }));
  const ask = async (messages: readonly object[]): Promise<{ status: number; error: string }> => {
    const response = await fetch(`${where.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ messages }),
    });
    const body = (await response.json()) as { error?: { message: string } };
    return { status: response.status, error: body.error?.message ?? '' };
  };
  return { conversationId, ask, notices: () => where.told.filter((told) => told.conversationId === conversationId) };
};
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const round = (id: string, result: string) => [
  {
    role: 'assistant',
    content: '',
    tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: id, content: result },
];
/** Answers summaries with `summary` and everything else with "fine". */
const answering = (where: RunningModelGateway, summary: string, usage: number | null = null) => {
  const seen: { asked: ModelRequest[]; summaries: ModelRequest[] } = { asked: [], summaries: [] };
  where.behave = async function* captured(request) {
    const summarising = request.messages[0]?.content.startsWith('You shorten') ?? false;
    seen[summarising ? 'summaries' : 'asked'].push(request);
    yield { type: 'text', delta: summarising ? summary : 'fine' };
    yield { type: 'finish', reason: 'stop', usage: { inputTokens: usage, outputTokens: 3 } };
  };
  return seen;
};
const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => [
    user(`question ${i} ${'q'.repeat(100)}`),
    assistant(`answer ${i} ${'a'.repeat(100)}`),
  ]).flat();

describe('a conversation that outgrows its model', () => {
  it('is told with its older stretch as a summary, says so once, and counts the summary [context.fits]', async () => {
    const seen = answering(service, 'The person asked numbered questions.');
    const { conversationId, ask, notices } = begin(service);
    const messages = [{ role: 'system', content: 'be good' }, ...turns(40), user('and now?')];
    expect((await ask(messages)).status).toBe(200);
    const [sent] = seen.asked;
    expect(sent?.messages[0]).toEqual({ role: 'system', content: 'be good' });
    expect(sent?.messages[1]?.content).toMatch(
      /^\[platform\] The \d+ oldest message\(s\) of this conversation are told as a summary.*\n\[summary\] "The person asked numbered questions\."$/,
    );
    expect(sent?.messages.at(-1)).toEqual(user('and now?'));
    expect(sent!.messages.length).toBeLessThan(messages.length);
    expect(seen.summaries.length).toBeGreaterThan(0);
    expect(seen.summaries.every(({ tools }) => tools.length === 0)).toBe(true);
    expect(notices()).toMatchObject([
      {
        event: 'notice',
        data: {
          kind: 'context_compacted',
          text: expect.stringMatching(
            /outgrew Small.*as a summary of about \d+ tokens.*everything stays in the record/,
          ),
        },
      },
    ]);
    const [event] = await service.database.outbox.findMany({ where: { body: { contains: conversationId } } });
    expect(JSON.parse(event?.body ?? '{}')).toMatchObject({
      type: 'agent.context.compacted',
      data: { when: 'request', left_out: 0, approximate: true },
    });
    expect(event?.body).not.toContain('numbered questions');
    const calls = await service.database.modelCall.findMany({ where: { conversationId } });
    expect(calls).toHaveLength(1 + seen.summaries.length);
    // The next request begins as this one did: the same summary stands there, and nothing is summarised or said again.
    const before = seen.summaries.length;
    expect((await ask([...messages, assistant('fine'), user('more')])).status).toBe(200);
    expect(seen.summaries).toHaveLength(before);
    expect(notices()).toHaveLength(1);
    expect(seen.asked[1]?.messages.slice(0, 2)).toEqual(seen.asked[0]?.messages.slice(0, 2));
  });

  it('keeps what was asked and the newest round of a long turn, whole', async () => {
    const seen = answering(service, 'Files were read.');
    const { ask } = begin(service);
    const rounds = Array.from({ length: 12 }, (_, i) => round(`c${i}`, `result ${i} ${'r'.repeat(500)}`)).flat();
    expect((await ask([user('read them all'), ...rounds])).status).toBe(200);
    const told = seen.asked[0]?.messages ?? [];
    expect(told[0]?.content).toContain('[summary]');
    expect(told[1]).toEqual(user('read them all'));
    expect(told.at(-1)?.content).toContain('result 11');
    const calls = told.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
    );
    expect(told.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []))).toEqual(calls);
  });

  it('does not use a summary that frees nothing: the stretch is left out, which is said', async () => {
    const seen = answering(service, 'x'.repeat(60_000));
    const { ask, notices } = begin(service);
    expect((await ask([...turns(40), user('and now?')])).status).toBe(200);
    expect(JSON.stringify(seen.asked[0]?.messages)).not.toContain('xxxx');
    expect(seen.asked[0]?.messages[0]?.content).toMatch(/oldest message\(s\) of this conversation are left out here/);
    expect(notices()[0]).toMatchObject({ data: { kind: 'history_left_out' } });
  });

  it('is shortened without a summary by a planner that is no language model', async () => {
    const { ask, notices } = begin(gateway);
    expect((await ask([...turns(40), user('hello')])).status).toBe(200);
    expect(notices()).toMatchObject([
      { data: { kind: 'history_left_out', text: expect.stringMatching(/because it writes no summaries/) } },
    ]);
  });

  it('is measured by what the provider counted', async () => {
    const seen = answering(service, 'short', 1_900);
    const { ask } = begin(service);
    const messages = [...turns(6), user('hello')];
    expect((await ask(messages)).status).toBe(200);
    expect(seen.summaries).toHaveLength(0);
    // The same again would be too much by the provider's own count, though not by ours.
    expect((await ask([...messages, assistant('fine'), user('again')])).status).toBe(200);
    expect(seen.summaries.length).toBeGreaterThan(0);
  });

  it.each([
    [
      'a window smaller than the instructions',
      [{ role: 'system', content: 's'.repeat(20_000) }, user('hi')],
      /told before the conversation.*BRAVO_MODEL_CONTEXT_TOKENS.*assumed/,
    ],
    [
      'a result larger than the window',
      [user('read'), ...round('c', 'r'.repeat(30_000))],
      /newest result of a tool is about [\d,]+ tokens.*Small takes [\d,]+ tokens of a prompt \(window 2,048, BRAVO_MODEL_CONTEXT_TOKENS/,
    ],
    ['a message larger than the window', [user('m'.repeat(30_000))], /The message is about [\d,]+ tokens/],
  ])(
    'is refused for %s in a sentence that names the setting [context.too-large-told]',
    async (_what, messages, sentence) => {
      const seen = answering(service, 'short');
      const { status, error } = await begin(service).ask(messages);
      expect({ status, told: error.length < 450 }).toEqual({ status: 502, told: true });
      expect(error).toMatch(sentence);
      expect(seen.asked).toEqual([]);
    },
  );
});

describe('another model than the chosen one', () => {
  let failing: RunningModelGateway;
  const peers: RawPeer[] = [];
  beforeAll(async () => {
    failing = await startModelGateway(
      { fallback: 'second/narrow', patience: { ...PATIENCE, maxRetries: 0 } },
      { demo: false, label: 'Wide', contextTokens: 100_000 },
    );
    failing.behave = async function* down() {
      throw new ModelProviderError('unavailable', 'The server of Wide is down.');
    };
  });
  afterAll(async () => {
    await failing?.stop();
    for (const peer of peers) await peer.close();
  });
  const secondOf = async (context: number): Promise<RawPeer> => {
    const peer = await startRawPeer((response, { body }) => {
      const summarising = JSON.stringify(body['messages']).includes('You shorten');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'narrow', choices: [{ index: 0, delta: { content: summarising ? 'Numbered questions.' : 'fine' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      );
    });
    peers.push(peer);
    const models = { narrow: { name: 'Narrow', limit: { context, output: 256 } } };
    failing.settings.set('platform', { provider: { second: { options: { baseURL: peer.url }, models } } });
    return peer;
  };

  it('is sent what fits its own window, and says so', async () => {
    const peer = await secondOf(2_048);
    const { ask, notices } = begin(failing);
    expect((await ask([...turns(40), user('and now?')])).status).toBe(200);
    const sent = peer.asked.filter(({ path }) => path.endsWith('/chat/completions')).at(-1);
    expect(JSON.stringify(sent?.body['messages'])).toContain('Numbered questions.');
    expect((sent?.body['messages'] as object[]).length).toBeLessThan(60);
    expect(notices()).toMatchObject([
      { data: { kind: 'context_compacted', text: expect.stringMatching(/outgrew Narrow/) } },
    ]);
  });

  it('that has no room either is named beside why it was asked', async () => {
    const { ask } = begin(failing);
    const { error } = await ask([user('m'.repeat(30_000))]);
    expect(error).toMatch(
      /^The server of Wide is down\. Narrow cannot answer instead: The message is about [\d,]+ tokens/,
    );
  });
});

describe('a budget set by hand', () => {
  it('outranks what the model advertises and what is assumed, and is named where it is too small', async () => {
    const seen = answering(service, 'Numbered questions.');
    const subject = { userId: 'usr_byhand', workspaceId: WORKSPACE };
    service.settings.set('user/usr_byhand', { limits: { contextTokens: 900 } });
    const { conversationId, ask } = begin(service, 'usr_byhand');
    expect((await ask([...turns(14), user('and now?')])).status).toBe(200);
    expect(seen.summaries.length).toBeGreaterThan(0);
    const client = await service.clientOf('gateway');
    expect(await client.getContext({ conversationId }, { subject })).toMatchObject({
      ...{ budgetTokens: 900, windowAssumed: false, setting: 'limits.contextTokens of the settings' },
    });
    const { error } = await ask([user('m'.repeat(6_000))]);
    expect(error).toMatch(/takes 900 tokens of a prompt \(window 900, limits\.contextTokens of the settings\)/);
    // Nonsense is no budget: what the model has holds.
    service.settings.set('user/usr_nonsense', { limits: { contextTokens: 0 } });
    const other = await client.getContext({ conversationId: '' }, { subject: { ...subject, userId: 'usr_nonsense' } });
    expect(other).toMatchObject({ windowTokens: 2_048, windowAssumed: true });
  });
});

describe('instructions', () => {
  it("stand at the head of every request in the place of the pod's own, newest version only, until the conversation ends [context.instructions]", async () => {
    const seen = answering(service, 'short');
    const { conversationId, ask } = begin(service);
    const orchestrator = await service.clientOf('orchestrator');
    const subject = { userId: 'usr_alice', workspaceId: WORKSPACE };
    const put = (version: number, text: string) =>
      orchestrator.putInstructions({ conversationId, version, digest: 'd'.repeat(64), text }, { subject });
    await put(2, 'You are told this.');
    await put(1, 'An older one.');
    expect(
      (
        await ask([
          { role: 'system', content: 'obey the pod' },
          user('hi'),
          { role: 'system', content: 'a loop' },
          user('go'),
        ])
      ).status,
    ).toBe(200);
    expect(seen.asked[0]?.messages).toEqual([
      { role: 'system', content: 'You are told this.' },
      user('hi'),
      user('[runtime] a loop'),
      user('go'),
    ]);
    const gatewayClient = await service.clientOf('gateway');
    await expect(
      gatewayClient.putInstructions({ conversationId, version: 9, digest: 'd'.repeat(64), text: 'x' }, { subject }),
    ).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(put(3, 'x')).resolves.toBeDefined();
    await orchestrator.forgetConversation({ conversationId }, { subject: { ...subject, workspaceId: 'ws_other' } });
    expect(await service.database.conversationInstructions.count({ where: { conversationId } })).toBe(1);
    await orchestrator.forgetConversation({ conversationId }, { subject });
    expect(await service.database.conversationInstructions.count({ where: { conversationId } })).toBe(0);
    const context = await gatewayClient.getContext({ conversationId }, { subject });
    expect(context).toMatchObject({
      windowTokens: 2_048,
      windowAssumed: true,
      summarises: true,
      setting: 'BRAVO_MODEL_CONTEXT_TOKENS',
      lastMeasured: false,
    });
    await waitUntil(
      'the last prompt',
      async () => (await gatewayClient.getContext({ conversationId }, { subject })).lastTokens > 0,
    );
  });
});
