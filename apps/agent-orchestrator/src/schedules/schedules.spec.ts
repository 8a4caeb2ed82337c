/** Turns as the broker is told of them: what was typed, what is asked again, and every end until it is taken. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@bravo/chassis';
import { WORK_TURN_SUBJECT, type WorkItem } from '@bravo/events';
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
  user,
  workspace,
} from '../fixtures/orchestrator.fixture.ts';

const bench = useBench();
let instance: Instance;
beforeAll(async () => {
  instance = await bench.start();
  bench.peers.answers.maxConcurrent = 50;
}, 30_000);
afterAll(() => instance.stop(), 30_000);
afterEach(() => {
  Object.assign(bench.peers.answers, { ownAnswer: '', judges: false, turnsUntold: false, enabled: true });
});

const say = async (conversationId: string, content: string) => {
  const { turnId } = await instance.gateway.runTurn(message(conversationId, content), as('alice'));
  return { turnId, events: await untilEnd(bench, conversationId, turnId) };
};
const begunOf = (turnId: string) => bench.peers.begun.find((turn) => turn.turnId === turnId);
const untilTold = (is: (turn: (typeof bench.peers.endedTurns)[number]) => boolean) =>
  waitUntil('the end to be told', async () => bench.peers.endedTurns.find(is));
const put = async (conversationId: string, prompt: string): Promise<string> => {
  const workId = newId('wrk');
  const item: WorkItem = {
    ...{ work_id: workId, workspace_id: workspace('acme'), conversation_id: conversationId, user_id: user('alice') },
    ...{ reason: 'schedule_due', prompt },
  };
  await bench.bus.publish('WORK', WORK_TURN_SUBJECT, JSON.stringify(item), workId);
  return workId;
};

describe('a line the person types', () => {
  it('is told to the broker as it is; of a loop or goal the agent is asked the line alone [schedules.platform-reads]', async () => {
    const conversationId = await beginConversation(instance.gateway);
    const plain = await say(conversationId, 'echo hello');
    expect(begunOf(plain.turnId)).toMatchObject({ origin: 'person', line: 'echo hello', command: '', workId: '' });
    const loop = await say(conversationId, '/loop 5m echo  again');
    expect(textOf(loop.events)).toBe('echo  again');
    expect(begunOf(loop.turnId)).toMatchObject({ line: 'echo  again', command: 'loop', everySeconds: 300 });
    await untilTold(({ turnId }) => turnId === loop.turnId);
    const { messages } = await instance.gateway.getConversation({ conversationId }, as('alice'));
    expect(messages.map(({ content }) => content)).toContain('/loop 5m echo  again');
  });

  it('that cannot be meant is refused before anything begins', async () => {
    const conversationId = await beginConversation(instance.gateway);
    await expect(instance.gateway.runTurn(message(conversationId, '/loop 4s x'), as('alice'))).rejects.toThrow(
      '5 seconds to 7 days',
    );
    expect((await instance.gateway.getConversation({ conversationId }, as('alice'))).messages).toEqual([]);
  });

  it('is answered by the platform where the broker has an answer of its own, and no pod has a part in it', async () => {
    bench.peers.answers.ownAnswer = 'No loop runs in this conversation.';
    const conversationId = await beginConversation(instance.gateway);
    const { turnId, events } = await say(conversationId, '/loop stop');
    expect(textOf(events)).toBe('No loop runs in this conversation.');
    expect(begunOf(turnId)).toMatchObject({ command: 'stop_loop', line: '' });
    expect(await bench.database.pod.count({ where: { conversationId } })).toBe(0);
  });
});

describe('work of a schedule', () => {
  it('is a turn on the line alone, and says that it was asked again [schedules.own-line]', async () => {
    const conversationId = await beginConversation(instance.gateway);
    const workId = await put(conversationId, 'echo look');
    const begun = await waitUntil('the turn', async () => bench.peers.begun.find((turn) => turn.workId === workId));
    expect(begun).toMatchObject({ origin: 'schedule', line: '', command: '' });
    const events = await untilEnd(bench, conversationId, begun.turnId);
    expect(textOf(events)).toBe('echo look');
    const told = await eventsIn(bench, conversationId);
    expect(told.filter(({ event }) => event === 'notice').map(({ data }) => data)).toEqual([
      expect.objectContaining({ kind: 'asked_again', text: 'Asked again: echo look' }),
    ]);
    await untilTold((turn) => turn.workId === workId && turn.status === 'completed');
    const received = (await outboxOf(bench, conversationId)).find(({ type }) => type === 'agent.message.received');
    expect(received).toMatchObject({ actor: 'service:orchestrator', data: { source: 'schedule' } });
  });

  it('that becomes no turn is told as dropped, with why', async () => {
    const conversationId = await beginConversation(instance.gateway);
    bench.peers.answers.enabled = false;
    const workId = await put(conversationId, 'echo no');
    expect(await untilTold((turn) => turn.workId === workId)).toMatchObject({
      ...{ turnId: '', status: 'dropped', errorCode: 'agent_disabled' },
    });
  });
});

describe('the end of a turn', () => {
  it('is told until it is taken, also of one that was stopped before it began', async () => {
    bench.peers.answers.turnsUntold = true;
    const conversationId = await beginConversation(instance.gateway);
    const first = await instance.gateway.runTurn(message(conversationId, 'slow 30'), as('alice'));
    const second = await instance.gateway.runTurn(message(conversationId, 'echo never'), as('alice'));
    await waitUntil('the first', async () => begunOf(first.turnId) !== undefined);
    await instance.gateway.cancelTurn({ conversationId }, as('alice'));
    await untilEnd(bench, conversationId, second.turnId);
    expect(bench.peers.endedTurns.filter((turn) => turn.conversationId === conversationId)).toEqual([]);
    bench.peers.answers.turnsUntold = false;
    for (const { turnId } of [first, second])
      expect(await untilTold((turn) => turn.turnId === turnId)).toMatchObject({ status: 'cancelled' });
  });

  it('is told again with what was answered where a goal is judged by it', async () => {
    bench.peers.answers.judges = true;
    const conversationId = await beginConversation(instance.gateway);
    const { turnId } = await say(conversationId, '/goal echo all done');
    expect(await untilTold((turn) => turn.turnId === turnId && turn.answer !== '')).toMatchObject({
      answer: 'echo all done',
    });
    await waitUntil(
      'the mark',
      async () => (await bench.database.turn.findUnique({ where: { id: turnId } }))?.brokerToldAt,
    );
  });
});
