/** What a fresh pod is told of earlier turns: in the order of the turns, also where a message waited while the turn before it was answered. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { beginConversation, type Instance, useBench } from '../fixtures/orchestrator.fixture.ts';
import { createConversationStore } from './conversations.prisma.ts';

const bench = useBench();
let instance: Instance;
beforeAll(async () => {
  instance = await bench.start();
}, 30_000);
afterAll(() => instance.stop(), 30_000);

it('has the answer before the message that waited for it, and nothing of the turn itself or of later ones', async () => {
  const conversationId = await beginConversation(instance.gateway);
  const { database } = bench;
  const turn = async (id: string) =>
    database.turn.create({
      data: {
        id,
        conversationId,
        reason: 'message',
        userMessageId: `msg_${id}`,
        status: 'completed',
        streamPosition: 0n,
        slotLimit: 1,
      },
    });
  const say = async (turnId: string, role: string, content: string) =>
    database.message.create({
      data: { id: `msg_${turnId}_${role}`, conversationId, turnId, role, content, status: 'complete' },
    });
  for (const id of ['trn_a', 'trn_b', 'trn_c']) {
    await turn(id);
    await say(id, 'user', `asks ${id}`);
  }
  for (const id of ['trn_a', 'trn_b']) await say(id, 'assistant', `answers ${id}`);
  const { before } = createConversationStore(database, { appendEvent: () => Promise.resolve('') } as never);
  const read = async (id: string, bounds = {}) =>
    before(conversationId, id, { after: 0n, maxBytes: 1_000_000, ...bounds });
  const saidBefore = async (id: string, bounds = {}) => (await read(id, bounds)).messages.map(({ content }) => content);
  expect(await saidBefore('trn_c')).toEqual(['asks trn_a', 'answers trn_a', 'asks trn_b', 'answers trn_b']);
  expect(await saidBefore('trn_b')).toEqual(['asks trn_a', 'answers trn_a']);
  expect(await saidBefore('trn_a')).toEqual([]);
  // As many of the newest as fit, at least one, and how many there are.
  expect(await saidBefore('trn_c', { maxBytes: 240 })).toEqual(['answers trn_a', 'asks trn_b', 'answers trn_b']);
  expect(await saidBefore('trn_c', { maxBytes: 1 })).toEqual(['answers trn_b']);
  const { messages, total } = await read('trn_c', { maxBytes: 1 });
  expect({ told: messages.length, total }).toEqual({ told: 1, total: 4 });
  const [first] = (await read('trn_b')).messages;
  expect(await saidBefore('trn_c', { after: first?.turnSeq })).toEqual(['asks trn_b', 'answers trn_b']);
});
