/** Turns through the whole orchestrator with real pods: what is streamed, kept, queued, cancelled and cut off. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isTerminal } from '@bravo/events';
import { waitUntil } from '@bravo/testing';
import {
  as,
  beginConversation,
  eventsIn,
  type Instance,
  message,
  outboxOf,
  textOf,
  untilEnd,
  useBench,
} from '../fixtures/orchestrator.fixture.ts';

const bench = useBench();
let instance: Instance;
beforeAll(async () => {
  instance = await bench.start({ warmPods: 2, turnSeconds: 30 });
  bench.peers.answers.maxConcurrent = 50;
}, 30_000);
afterAll(() => instance.stop(), 30_000);

const alice = as('alice');
let conversationId: string;
beforeEach(async () => {
  conversationId = await beginConversation(instance.gateway);
});
const run = (content: string, key = '') => instance.gateway.runTurn(message(conversationId, content, key), alice);
const turn = async (turnId: string) => instance.gateway.getTurn({ conversationId, turnId }, alice);

describe('a turn', () => {
  it('is streamed as waking, running, start, text and one end, and kept as it was said', async () => {
    const { turnId, messageId, streamPosition, queued } = await run('echo one two three');
    expect(queued).toBe(false);
    const events = await untilEnd(bench, conversationId, turnId);
    expect(events.map(({ event }) => event).filter((event, i, all) => event !== all[i - 1])).toEqual([
      'status',
      'message_start',
      'content_delta',
      'message_end',
    ]);
    expect(events.flatMap((event) => (event.event === 'status' ? [event.data.state] : []))).toEqual([
      'waking',
      'running',
    ]);
    expect(events.every(({ sequence }) => sequence > Number(streamPosition))).toBe(true);
    expect(textOf(events)).toBe('echo one two three');
    const end = events.at(-1);
    expect(end?.data).toMatchObject({ usage: { input_tokens: 11, output_tokens: 7 } });
    const kept = await turn(turnId);
    expect(kept).toMatchObject({
      status: 'completed',
      userMessage: { id: messageId, role: 'user', content: 'echo one two three' },
      assistantMessage: {
        id: end?.event === 'message_end' && end.data.id,
        role: 'assistant',
        content: 'echo one two three',
        status: 'complete',
        usage: { inputTokens: 11, outputTokens: 7 },
      },
    });
    const { conversation, messages } = await instance.gateway.getConversation({ conversationId }, alice);
    expect(conversation).toMatchObject({ title: 'echo one two three', runningTurnId: '' });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    const told = await outboxOf(bench, conversationId);
    // What the model is told is composed while the pod is woken: either may be first.
    expect(told.map(({ type }) => type).filter((type) => type !== 'agent.instructions.told')).toEqual([
      'agent.conversation.created',
      'agent.message.received',
      'agent.pod.claimed',
      'agent.message.sent',
      'agent.turn.finished',
    ]);
    expect(JSON.stringify(told)).not.toContain('one two');
  });

  it('gives each pod its own token bound to the conversation, over no environment', async () => {
    const { turnId } = await run('token');
    const said = textOf(await untilEnd(bench, conversationId, turnId));
    const bound = bench.peers.tokens.filter((token) => token.conversationId === conversationId);
    expect(bound).toHaveLength(1);
    const { createHash } = await import('node:crypto');
    expect(said).toContain(
      `token ${createHash('sha256')
        .update(bound[0]?.token ?? '')
        .digest('hex')}`,
    );
    expect(said).toContain('env false');
    // Its own number inside its container, whoever it is outside; nobody's of the host.
    if (process.getuid?.() === 0) expect(said).toContain('uid 1000');
  });

  it('separates what is said before a tool call from what is said after, and tells of no call itself', async () => {
    const { turnId } = await run('tool');
    const events = await untilEnd(bench, conversationId, turnId);
    expect(textOf(events)).toBe('I run it.\n\nIt is 42.');
    expect(events.map(({ event }) => event)).not.toContain('tool_call_start');
  });

  it('denies what the pod itself asks', async () => {
    const { turnId } = await run('ask');
    expect(textOf(await untilEnd(bench, conversationId, turnId))).toBe('answer: deny');
  });

  it('tells the pod what the person is looking at, and refuses what is no object', async () => {
    const asked = (contextJson: string) =>
      instance.gateway.runTurn({ ...message(conversationId, 'echo this'), contextJson }, alice);
    const { turnId } = await asked('{ "page": "terms" }');
    expect(textOf(await untilEnd(bench, conversationId, turnId))).toMatch(
      /^\[platform\] The context[^\n]*\n\[context\] \{"page":"terms"\}\n\[message\]\necho this$/,
    );
    const { messages } = await instance.gateway.listMessages({ conversationId }, alice);
    expect(messages.map(({ role }) => role).sort()).toEqual(['assistant', 'user']);
    expect(messages.find(({ role }) => role === 'user')?.content).toBe('echo this');
    await expect(asked('[]')).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('streams the answer of a runtime that says everything at the end', async () => {
    const { turnId } = await run('whole');
    expect(textOf(await untilEnd(bench, conversationId, turnId))).toBe('said at once');
  });

  it('ends as failed when the model fails, with what had been said', async () => {
    const { turnId } = await run('fail');
    const events = await untilEnd(bench, conversationId, turnId);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'model_failed', retryable: true } });
    expect(await turn(turnId)).toMatchObject({
      status: 'failed',
      assistantMessage: { content: 'I try', status: 'failed', errorCode: 'model_failed' },
    });
  });

  it('is the same turn for the same idempotency key, and another message under it is refused', async () => {
    const first = await run('echo once', 'key-1');
    const again = await run('echo once', 'key-1');
    expect(again).toMatchObject({
      turnId: first.turnId,
      messageId: first.messageId,
      streamPosition: first.streamPosition,
      replayed: true,
    });
    await expect(run('echo other', 'key-1')).rejects.toMatchObject({ code: 'conflict' });
    await untilEnd(bench, conversationId, first.turnId);
    const { messages } = await instance.gateway.listMessages({ conversationId }, alice);
    expect(messages).toHaveLength(2);
  });

  it('waits while another runs, says so, and begins after it in the same pod', async () => {
    const first = await run('slow 5');
    const second = await run('echo after');
    expect([first.queued, second.queued]).toEqual([false, true]);
    const later = await untilEnd(bench, conversationId, second.turnId);
    expect(later[0]).toMatchObject({ event: 'status', data: { state: 'queued' } });
    const all = (await eventsIn(bench, conversationId)).filter((event) => event.event !== 'status');
    const endOfFirst = all.findIndex((event) => event.turn_id === first.turnId && isTerminal(event));
    expect(all.slice(0, endOfFirst + 1).every((event) => event.turn_id === first.turnId)).toBe(true);
    // The pod remembers the first turn: no transcript is told again.
    expect(textOf(later)).toBe('echo after');
    expect(bench.peers.tokens.filter((token) => token.conversationId === conversationId)).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('stops the turn and those that wait, keeps what was said, and the pod serves on', async () => {
    const first = await run('slow 100');
    const second = await run('echo never');
    await waitUntil('some text', async () => textOf(await eventsIn(bench, conversationId)).includes('2 '));
    const before = Date.now();
    expect(await instance.gateway.cancelTurn({ conversationId }, alice)).toEqual({ cancelled: true });
    expect(Date.now() - before).toBeLessThan(2_000);
    for (const { turnId } of [first, second]) {
      const ends = (await untilEnd(bench, conversationId, turnId)).filter(isTerminal);
      expect(ends).toHaveLength(1);
      expect(ends[0]).toMatchObject({ event: 'error', data: { code: 'turn_cancelled', retryable: false } });
    }
    expect(await turn(first.turnId)).toMatchObject({
      status: 'cancelled',
      assistantMessage: { status: 'cancelled', content: expect.stringMatching(/^1 2 /) },
    });
    expect(await turn(second.turnId)).toMatchObject({ status: 'cancelled' });
    expect(await instance.gateway.cancelTurn({ conversationId }, alice)).toEqual({ cancelled: false });
    const third = await run('echo on we go');
    expect(textOf(await untilEnd(bench, conversationId, third.turnId))).toBe('echo on we go');
    expect(bench.peers.tokens.filter((token) => token.conversationId === conversationId)).toHaveLength(1);
  });

  it('ends within two seconds though the pod hears nothing, and the pod is ended with it', async () => {
    const { turnId } = await run('hang');
    await waitUntil('some text', async () => textOf(await eventsIn(bench, conversationId)).includes('silence'));
    const before = Date.now();
    await instance.gateway.cancelTurn({ conversationId }, alice);
    expect(Date.now() - before).toBeLessThan(2_000);
    const events = await untilEnd(bench, conversationId, turnId);
    expect(events.at(-1)).toMatchObject({ data: { code: 'turn_cancelled' } });
    expect(await turn(turnId)).toMatchObject({ assistantMessage: { content: 'before the silence' } });
    await waitUntil(
      'the pod to be gone',
      async () => (await bench.database.pod.count({ where: { conversationId, state: 'claimed' } })) === 0,
    );
    await waitUntil('its token to be void', () =>
      bench.peers.tokens.filter((token) => token.conversationId === conversationId).every(({ revoked }) => revoked),
    );
  });
});

describe('a pod that dies in the middle', () => {
  it('ends the turn as interrupted, once, with what was said; the next message gets a fresh pod and the transcript', async () => {
    const first = await run('echo hello there');
    await untilEnd(bench, conversationId, first.turnId);
    const { turnId } = await run('die');
    const events = await untilEnd(bench, conversationId, turnId);
    expect(events.filter(isTerminal)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'turn_interrupted', retryable: true } });
    expect(await turn(turnId)).toMatchObject({
      status: 'interrupted',
      assistantMessage: { content: 'last words', status: 'interrupted' },
    });
    const next = await run('echo again');
    const said = textOf(await untilEnd(bench, conversationId, next.turnId));
    expect(said).toContain(
      '[transcript]\n{"role":"user","content":"echo hello there"}\n{"role":"assistant","content":"echo hello there"}',
    );
    expect(said).toContain('{"role":"assistant","content":"last words","ended":"interrupted"}');
    expect(said.endsWith('[message]\necho again')).toBe(true);
    expect(bench.peers.tokens.filter((token) => token.conversationId === conversationId)).toHaveLength(2);
    const told = (await outboxOf(bench, conversationId)).filter(({ type }) => type === 'agent.pod.released');
    expect(told).toHaveLength(1);
    expect(told[0]?.data).toMatchObject({ reason: expect.any(String), container_seconds: expect.any(Number) });
  });
});
