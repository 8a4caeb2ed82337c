/** Summaries in Postgres: one more row each time, the newest holds. */
import { type Outbox, serviceActor, userActor } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import { inTransaction } from '../databases/transactions.prisma.ts';
import type { SummaryStore } from './summary-store.ts';

export const createSummaryStore = (database: Database, outbox: Outbox): SummaryStore => ({
  latest: async (conversationId) =>
    (await database.conversationSummary.findFirst({ where: { conversationId }, orderBy: { id: 'desc' } })) ?? undefined,
  put: ({ workspaceId, userId }, conversationId, summary, when, tokensBefore) =>
    inTransaction(database, async (tx) => {
      await tx.conversationSummary.create({ data: { conversationId, ...summary } });
      await outbox.appendEvent(tx, {
        type: 'agent.context.compacted',
        workspace: workspaceId,
        conversation: conversationId,
        ...(when === 'asked'
          ? { actor: userActor(userId) }
          : { actor: serviceActor('orchestrator'), onBehalfOf: userId }),
        data: {
          ...{ when, model: summary.model, messages: summary.messages, left_out: summary.leftOut },
          ...{ tokens_before: tokensBefore, tokens_after: summary.tokens, summary_tokens: summary.tokens },
          approximate: true,
        },
      });
    }),
});
