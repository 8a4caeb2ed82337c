/** Transactions that meet: what Postgres gives up is done again, and no order of calls about one conversation fails any of them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, beginConversation, type Instance, message, useBench } from '../fixtures/orchestrator.fixture.ts';
import { inTransaction } from './transactions.prisma.ts';

const bench = useBench();
let instance: Instance;
beforeAll(async () => {
  instance = await bench.start();
}, 30_000);
afterAll(() => instance.stop(), 30_000);

describe('two transactions that wait for each other', () => {
  it.each([
    ['in queries', (tx, id) => tx.conversation.update({ where: { id }, data: { projectId: 'prj_2' } })],
    ['in raw ones', (tx, id) => tx.$executeRaw`UPDATE "conversations" SET "project_id" = 'prj_2' WHERE "id" = ${id}`],
  ] as [string, (tx: Parameters<Parameters<typeof inTransaction>[1]>[0], id: string) => Promise<unknown>][])(
    'both happen, %s',
    async (_, change) => {
      const ids = [await beginConversation(instance.gateway), await beginConversation(instance.gateway)] as const;
      let attempts = 0;
      let arrived = 0;
      let meet: () => void = () => undefined;
      const met = new Promise<void>((resolve) => (meet = resolve));
      const both = (first: string, second: string) =>
        inTransaction(bench.database, async (tx) => {
          attempts += 1;
          await change(tx, first);
          if ((arrived += 1) === 2) meet();
          await met;
          await change(tx, second);
        });
      await Promise.all([both(ids[0], ids[1]), both(ids[1], ids[0])]);
      expect(attempts).toBe(3);
    },
    20_000,
  );

  it('are given up where the cause is another', async () => {
    let attempts = 0;
    const failing = inTransaction(bench.database, async () => {
      attempts += 1;
      throw new Error('no deadlock');
    });
    await expect(failing).rejects.toThrow('no deadlock');
    expect(attempts).toBe(1);
  });
});

describe('calls about one conversation at the same moment', () => {
  it('are all answered as what they are, however they meet [turn.meetings]', async () => {
    const answered = (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'ok',
        (error: { code?: string }) => error.code ?? String(error),
      );
    const codes = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const conversationId = await beginConversation(instance.gateway);
      await instance.gateway.runTurn(message(conversationId, `echo ${round}`), as('alice'));
      // Some rounds meet the turn's beginning, others its end.
      await new Promise((resolve) => setTimeout(resolve, round * 40));
      const outcomes = await Promise.all(
        [
          instance.gateway.runTurn(message(conversationId, 'echo more'), as('alice')),
          instance.gateway.cancelTurn({ conversationId }, as('alice')),
          instance.gateway.endConversation({ conversationId }, as('alice')),
          instance.gateway.setMode({ conversationId, mode: 'ask' }, as('alice')),
          instance.gateway.endConversation({ conversationId }, as('alice')),
          instance.gateway.cancelTurn({ conversationId }, as('alice')),
          instance.gateway.runTurn(message(conversationId, 'echo still'), as('alice')),
        ].map(answered),
      );
      for (const outcome of outcomes) codes.add(outcome);
    }
    codes.delete('ok');
    codes.delete('conversation_ended');
    codes.delete('too_many_conversations');
    expect([...codes]).toEqual([]);
  }, 120_000);
});
