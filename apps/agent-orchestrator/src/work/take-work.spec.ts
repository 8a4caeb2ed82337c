/** The WORK queue into turns: once each, queued behind a running turn, dropped when nobody may have it any more. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@bravo/chassis';
import { WORK_TURN_SUBJECT, type WorkItem } from '@bravo/events';
import { waitUntil } from '@bravo/testing';
import {
  admin,
  as,
  beginConversation,
  eventsIn,
  type Instance,
  message,
  outboxOf,
  textOf,
  untilEnd,
  useBench,
  user,
  workspace,
} from '../fixtures/orchestrator.fixture.ts';

const bench = useBench();
let instance: Instance;
const membership = `${workspace('acme')}/${user('alice')}`;
beforeAll(async () => {
  instance = await bench.start();
  bench.peers.answers.maxConcurrent = 50;
  bench.peers.answers.members.set(membership, ['manage_project']);
}, 30_000);
afterAll(() => instance.stop(), 30_000);

const put = async (
  conversationId: string,
  prompt: string,
  workId = newId('wrk'),
  deliveries = 1,
  reason: WorkItem['reason'] = 'approval_decided',
): Promise<string> => {
  const item = {
    work_id: workId,
    workspace_id: workspace('acme'),
    conversation_id: conversationId,
    user_id: user('alice'),
    reason,
    prompt,
  };
  for (let i = 0; i < deliveries; i += 1)
    await bench.bus.publish('WORK', WORK_TURN_SUBJECT, JSON.stringify(item), `${workId}:${i}`);
  return workId;
};
const turnsOf = (conversationId: string) =>
  bench.database.turn.findMany({ where: { conversationId }, orderBy: { seq: 'asc' } });
/** What was taken, as a turn or as nothing, is in the queue no more. */
const untilTaken = (): Promise<unknown> =>
  waitUntil('the queue to be empty', async () => (await bench.bus.lastSequence('WORK', WORK_TURN_SUBJECT)) === 0);

describe('work', () => {
  it('becomes one turn with a system message, however often it is delivered', async () => {
    const conversationId = await beginConversation(instance.gateway);
    await put(conversationId, 'echo go on', undefined, 3);
    await untilTaken();
    const [turn, ...more] = await turnsOf(conversationId);
    expect(more).toEqual([]);
    expect(textOf(await untilEnd(bench, conversationId, turn?.id ?? ''))).toBe('echo go on');
    const { messages, conversation } = await instance.gateway.getConversation({ conversationId }, as('alice'));
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'echo go on'],
      ['assistant', 'echo go on'],
    ]);
    expect(conversation?.title).toBe('');
    const received = (await outboxOf(bench, conversationId)).find(({ type }) => type === 'agent.message.received');
    expect(received).toMatchObject({ actor: 'service:orchestrator', data: { source: 'approval' } });
  });

  it('of a job that ended is a turn too, and the trail names it as its source', async () => {
    const conversationId = await beginConversation(instance.gateway);
    await put(conversationId, 'echo it ended', undefined, 1, 'job_ended');
    await untilTaken();
    const [turn] = await turnsOf(conversationId);
    expect(textOf(await untilEnd(bench, conversationId, turn?.id ?? ''))).toBe('echo it ended');
    const received = (await outboxOf(bench, conversationId)).find(({ type }) => type === 'agent.message.received');
    expect(received).toMatchObject({ data: { source: 'job' } });
  });

  it('waits behind a running turn', async () => {
    const conversationId = await beginConversation(instance.gateway);
    const first = await instance.gateway.runTurn(message(conversationId, 'slow 8'), as('alice'));
    await put(conversationId, 'echo after');
    const [, second] = await waitUntil('the second turn', async () => {
      const turns = await turnsOf(conversationId);
      return turns.length === 2 && turns;
    });
    await untilEnd(bench, conversationId, second?.id ?? '');
    const order = (await eventsIn(bench, conversationId))
      .filter(({ event }) => event === 'message_end')
      .map(({ turn_id }) => turn_id);
    expect(order).toEqual([first.turnId, second?.id]);
  });

  it('is dropped when the conversation has ended, the person is gone, the gate is shut, or an agent is attached', async () => {
    const ended = await beginConversation(instance.gateway);
    await instance.gateway.endConversation({ conversationId: ended }, as('alice'));
    await put(ended, 'echo no');
    const { conversationId: attached } = await instance.gateway.attachAgent({ conversationId: '' }, admin('alice'));
    await put(attached, 'echo no');
    await bench.bus.publish('WORK', WORK_TURN_SUBJECT, '{"work_id": 7}', newId('wrk'));
    await untilTaken();
    const left = await beginConversation(instance.gateway);
    bench.peers.answers.left.add(membership);
    await put(left, 'echo no');
    await untilTaken();
    bench.peers.answers.left.delete(membership);
    const shut = await beginConversation(instance.gateway);
    bench.peers.answers.enabled = false;
    await put(shut, 'echo no');
    await untilTaken();
    bench.peers.answers.enabled = true;
    for (const conversationId of [ended, attached, left, shut]) expect(await turnsOf(conversationId)).toEqual([]);
  });

  it('comes again while identity cannot be read', async () => {
    const conversationId = await beginConversation(instance.gateway);
    bench.peers.answers.unreadable = true;
    await put(conversationId, 'echo later');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await turnsOf(conversationId)).toEqual([]);
    bench.peers.answers.unreadable = false;
    await waitUntil('the turn', async () => (await turnsOf(conversationId))[0]?.status === 'completed');
  });

  it('waits for a place when the workspace has none left', async () => {
    bench.peers.answers.maxConcurrent = await bench.database.conversation.count({
      where: { workspaceId: workspace('acme'), occupiesSlot: true },
    });
    const conversationId = await beginConversation(instance.gateway);
    await put(conversationId, 'echo patience');
    const [turn] = await waitUntil('the turn', async () => {
      const turns = await turnsOf(conversationId);
      return turns.length === 1 && turns;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await turnsOf(conversationId))[0]).toMatchObject({ status: 'queued' });
    const busy = await bench.database.conversation.findFirstOrThrow({
      where: { workspaceId: workspace('acme'), occupiesSlot: true },
    });
    await instance.gateway.endConversation({ conversationId: busy.id }, as('alice'));
    expect(textOf(await untilEnd(bench, conversationId, turn?.id ?? ''))).toBe('echo patience');
    bench.peers.answers.maxConcurrent = 50;
  });
});
