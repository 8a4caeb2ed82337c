/** Reservations of 50 contenders for one limit and one credit account, each settled at once; beside 50 that only add to one row. */
import { newId } from '@bravo/chassis/reference';
import { createOutbox } from '@bravo/events';
import { startTestPostgres } from '@bravo/testing';
import { createDatabase } from '../apps/model-gateway/src/databases/database.prisma.ts';
import { createCallLedger } from '../apps/model-gateway/src/quotas/call-ledger.prisma.ts';
import { createReserveCall } from '../apps/model-gateway/src/quotas/reserve-call.ts';
import type { Benchmark } from './benchmark.ts';

const CONTENDERS = 50;

/** How many rounds all contenders together make in a second. */
const perSecond = async (seconds: number, work: (contender: number) => Promise<unknown>): Promise<number> => {
  const end = performance.now() + seconds * 1_000;
  let rounds = 0;
  await Promise.all(
    Array.from({ length: CONTENDERS }, async (_, contender) => {
      while (performance.now() < end) {
        await work(contender);
        rounds += 1;
      }
    }),
  );
  return rounds / seconds;
};

export const benchmark: Benchmark = {
  title: 'Reserving and settling a model call, 50 contenders for one limit / the same number adding to one row',
  run: async ({ smoke }) => {
    const postgres = await startTestPostgres({ app: 'model-gateway', schema: 'models' });
    const database = createDatabase(postgres.url('models'));
    try {
      const now = (): Date => new Date();
      const outbox = createOutbox({ schema: 'models', producer: 'models', traceparent: () => '' });
      const ledger = createCallLedger(database, outbox, now, () => newId('mdl'));
      const reserve = createReserveCall({ ledger, priceOf: () => undefined, now, answerTokens: 1_000, holdMs: 60_000 });
      const round = async (contender: number): Promise<void> => {
        const { call } = await reserve({
          owner: { workspaceId: 'ws', userId: `usr_${contender}`, conversationId: `cnv_${contender}`, rootConversationId: `cnv_${contender}`, podId: '' },
          models: [{ id: 'm', demo: false, outputTokens: null }],
          question: { messages: [{ role: 'user', content: 'hi' }], tools: [] },
          limits: { workspaceDailyTokens: 1_000_000_000_000 },
          terms: { plan: 'team', planCredits: 1_000_000_000_000, trialCredits: 0 },
        });
        await ledger.settle(call, {
          ...{ status: 'completed', model: 'm', usage: { inputTokens: 10, outputTokens: 10 } },
          ...{ chargedTokens: 20, micros: null, credits: 20 },
        });
      };
      await database.quotaWindow.create({ data: { key: 'bench' } });
      const add = (): Promise<unknown> => database.$executeRaw`UPDATE quota_windows SET used = used + 1 WHERE key = 'bench'`;
      const seconds = smoke ? 1 : 5;
      await round(0);
      const ours = await perSecond(seconds, round);
      const reference = await perSecond(seconds, add);
      // As time for a thousand, so that less is better as everywhere else.
      return [{ name: 'a thousand calls, reserved and settled', unit: 'ms', ours: 1e6 / ours, reference: 1e6 / reference }];
    } finally {
      await database.$disconnect();
      await postgres.stop();
    }
  },
};
