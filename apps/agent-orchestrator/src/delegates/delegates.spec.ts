/** Delegates as the orchestrator keeps them: opened once and within their ceilings, each with a pod of its own, and ended with whatever they work for. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@bravo/chassis';
import { waitUntil } from '@bravo/testing';
import { as, beginConversation, type Instance, message, outboxOf, useBench } from '../fixtures/orchestrator.fixture.ts';
import { nameOf, roomIn } from './delegate.ts';

const bench = useBench();
let instance: Instance;
beforeAll(async () => {
  instance = await bench.start();
  bench.peers.answers.maxConcurrent = 50;
}, 30_000);
afterAll(() => instance.stop(), 30_000);
const onReport = () => ({ reported: true, openWork: [], told: true });
afterEach(() => {
  Object.assign(bench.peers.answers, { maxDelegates: 8, onReport });
});

/** A conversation whose turn runs, so that it may start delegates. */
const working = async (): Promise<string> => {
  const conversationId = await beginConversation(instance.gateway);
  await instance.gateway.runTurn(message(conversationId, 'slow 400'), as('alice'));
  await waitUntil('the turn', async () => (await stateOf(conversationId)) === 'running');
  return conversationId;
};
const stateOf = async (conversationId: string) =>
  (await bench.database.turn.findFirst({ where: { conversationId }, orderBy: { seq: 'desc' } }))?.status;
const open = async (
  parentConversationId: string,
  tasks: readonly string[],
  { toolCallId = newId('tc'), ids = tasks.map(() => newId('cnv')) } = {},
) => {
  const asked = { parentConversationId, toolCallId, kind: 'reader', instructions: '' };
  const delegates = tasks.map((task, index) => ({ conversationId: ids[index]!, task }));
  return instance.broker.openDelegates({ ...asked, delegates }, as('alice'));
};
const listOf = async (conversationId: string) =>
  (await instance.gateway.listDelegates({ conversationId }, as('alice'))).delegates;
const untilState = (conversationId: string, name: string, state: string) =>
  waitUntil(
    `${name} to be ${state}`,
    async () => (await listOf(conversationId)).find((one) => one.name === name && one.state === state),
    { timeoutMs: 30_000, everyMs: 100 },
  );
const many = (count: number, task: string): string[] => Array.from({ length: count }, () => task);

describe('a delegate', () => {
  it('is opened once, works in a conversation and a pod of its own, and is ended when it has reported [delegate.own-conversation] [delegate.once]', async () => {
    const root = await working();
    const [id, toolCallId] = [newId('cnv'), newId('tc')];
    for (let again = 0; again < 3; again += 1)
      expect(await open(root, ['echo found it'], { toolCallId, ids: [id] })).toMatchObject({
        delegates: [{ conversationId: id, name: 'd1' }],
        refusedBecause: '',
      });
    const done = await untilState(root, 'd1', 'completed');
    expect(done).toMatchObject({
      conversationId: id,
      kind: 'reader',
      depth: 1,
      usage: { inputTokens: 11, outputTokens: 7 },
    });
    expect(await listOf(root)).toHaveLength(1);
    expect(await bench.database.turn.count({ where: { conversationId: id } })).toBe(1);
    const pods = await bench.database.pod.findMany({ where: { conversationId: { in: [root, id] } } });
    expect(new Set(pods.map((pod) => pod.id)).size).toBe(2);
    await waitUntil('its erasure', async () =>
      bench.peers.told.some(({ method, conversationId }) => method === 'erase' && conversationId === id),
    );
    const { conversations } = await instance.gateway.listConversations({ userId: '', page: undefined }, as('alice'));
    expect(conversations.map((one) => one.id)).not.toContain(id);
    const events = await outboxOf(bench, root);
    expect(events.filter(({ type }) => type.startsWith('agent.delegate.')).map(({ type }) => type)).toEqual([
      'agent.delegate.started',
      'agent.delegate.finished',
    ]);
    await expect(instance.gateway.runTurn(message(id, 'echo from a person'), as('alice'))).rejects.toMatchObject({
      code: expect.stringMatching(/conflict|conversation_ended/),
    });
  }, 60_000);

  it('is opened for the broker alone, and only under a turn that runs [delegate.working-parent]', async () => {
    const idle = await beginConversation(instance.gateway);
    await expect(open(idle, ['echo no'])).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      instance.gateway.openDelegates(
        {
          ...{ parentConversationId: idle, toolCallId: newId('tc'), kind: 'reader', instructions: '' },
          delegates: [{ conversationId: newId('cnv'), task: 'x' }],
        },
        as('alice'),
      ),
    ).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await listOf(idle)).toEqual([]);
  });

  it('is not done while a question of it waits [delegate.report-once]', async () => {
    let waiting = true;
    bench.peers.answers.onReport = () => ({ reported: !waiting, openWork: [], told: true });
    const root = await working();
    await open(root, ['echo asks']);
    await untilState(root, 'd1', 'waiting');
    waiting = false;
    await untilState(root, 'd1', 'completed');
  }, 60_000);
});

describe('ceilings', () => {
  it('are eight at work and thirty-two in all over a tree, three levels deep [delegate.ceilings]', async () => {
    expect(roomIn({ atWork: 0, sinceMessage: 0 }, 8)).toEqual({ room: 8, why: '' });
    expect(roomIn({ atWork: 6, sinceMessage: 6 }, 8)).toMatchObject({ room: 2, why: expect.stringMatching(/at once/) });
    expect(roomIn({ atWork: 0, sinceMessage: 30 }, 8)).toMatchObject({ room: 2, why: expect.stringMatching(/^32/) });
    expect(nameOf('d1.2', 2)).toBe('d1.2.3');
    const root = await working();
    bench.peers.answers.maxDelegates = 2;
    const first = await open(root, many(5, 'slow 400'));
    expect(first.delegates.map(({ name }) => name)).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
    // At the same moment: no two calls take the same room.
    const [second, third] = await Promise.all([open(root, many(5, 'slow 400')), open(root, many(5, 'slow 400'))]);
    const opened = [...second.delegates, ...third.delegates].filter(({ name }) => name !== '');
    expect(opened).toHaveLength(3);
    expect([second.refusedBecause, third.refusedBecause].join()).toMatch(/8 delegates is the most at work at once/);

    // The workspace's own count: two of them have a place, whatever conversations have.
    await waitUntil(
      'two at work',
      async () => (await listOf(root)).filter(({ state }) => state === 'running').length === 2,
    );
    expect((await listOf(root)).filter(({ state }) => state === 'queued')).toHaveLength(6);
    const occupied = {
      workspaceId: (await bench.database.conversation.findUniqueOrThrow({ where: { id: root } })).workspaceId,
      occupiesSlot: true,
    };
    expect(await bench.database.conversation.count({ where: { ...occupied, parentId: { not: null } } })).toBe(2);

    await instance.gateway.endConversation({ conversationId: root }, as('alice'));
    expect((await listOf(root)).map(({ state }) => state)).toEqual(many(8, 'cancelled'));
    const left = await bench.database.conversation.count({ where: { rootId: root, status: 'active' } });
    expect(left).toBe(0);
  }, 90_000);

  it('hold below delegates too, and the fourth level is none [delegate.ceilings]', async () => {
    let at = await working();
    const root = at;
    for (const name of ['d1', 'd1.1', 'd1.1.1']) {
      const { delegates } = await open(at, ['slow 400']);
      expect(delegates[0]?.name).toBe(name);
      await untilState(root, name, 'running');
      at = delegates[0]!.conversationId;
    }
    expect(await open(at, ['echo too deep'])).toMatchObject({
      delegates: [{ name: '' }],
      refusedBecause: expect.stringMatching(/3 levels/),
    });
    await instance.gateway.endConversation({ conversationId: root }, as('alice'));
  }, 90_000);
});

describe('an end above', () => {
  it('stops what works below, with its questions, and nothing is started after it [delegate.cascade]', async () => {
    const root = await working();
    const { delegates } = await open(root, many(2, 'slow 400'));
    await untilState(root, 'd2', 'running');
    expect(await instance.gateway.cancelTurn({ conversationId: root }, as('alice'))).toMatchObject({ cancelled: true });
    for (const name of ['d1', 'd2']) await untilState(root, name, 'cancelled');
    await expect(open(root, ['echo late'])).rejects.toMatchObject({ code: 'conflict' });
    const told = bench.peers.told.filter(({ conversationId }) =>
      delegates.some((one) => one.conversationId === conversationId),
    );
    expect(told.filter(({ method }) => method === 'withdraw')).toHaveLength(2);
    // A stopped conversation is told nothing: it would begin again.
    expect(told.filter(({ method }) => method === 'report')).toEqual([]);
  }, 60_000);

  it('of one delegate stops that one, and whoever it works for is told [delegate.cascade]', async () => {
    const root = await working();
    const { delegates } = await open(root, ['slow 400', 'slow 400']);
    await untilState(root, 'd2', 'running');
    await instance.gateway.endConversation({ conversationId: delegates[0]!.conversationId }, as('alice'));
    await untilState(root, 'd1', 'cancelled');
    expect((await listOf(root)).find(({ name }) => name === 'd2')).toMatchObject({ state: 'running' });
    expect(
      bench.peers.told.filter(
        ({ method, conversationId }) => method === 'report' && conversationId === delegates[0]!.conversationId,
      ),
    ).not.toEqual([]);
    await instance.gateway.endConversation({ conversationId: root }, as('alice'));
    await waitUntil('the tokens to be void', async () =>
      delegates.every(({ conversationId }) =>
        bench.peers.tokens.every((token) => token.conversationId !== conversationId || token.revoked),
      ),
    );
  }, 60_000);
});
