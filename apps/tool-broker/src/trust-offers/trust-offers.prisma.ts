/** Marks of vouched files in Postgres. A mark is set only over the one the file was looked at under, and never beside a program. */
import { type Outbox, userActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { workAfterVouch } from '../approvals/continue-turn.ts';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import { type BrokerDatabase, isOne } from '../databases/broker-database.prisma.ts';
import type { TrustOffers } from './trust-offer.ts';

const WRITTEN = 'Something was written there meanwhile. Look at the file again.';
const RUNS = 'A program runs, or ran meanwhile, and could change the file. Look at it again when it has ended.';

export const createTrustOffers = (
  database: BrokerDatabase,
  outbox: Pick<Outbox, 'appendEvent' | 'appendWork'>,
): TrustOffers => ({
  findMark: async (conversationId, path) => {
    const row = await database.pathTrust.findUnique({ where: { conversationId_path: { conversationId, path } } });
    return row === null ? undefined : { writtenBy: row.writtenBy, at: row.updatedAt };
  },
  vouch: ({ person, slot, conversationId, seen, lookedAt, bytes, digest }) =>
    database.$transaction(async (tx) => {
      await holdOpen(tx, conversationId);
      const { path, toolCallId, number } = slot;
      const programs = await tx.job.count({
        where: { conversationId, OR: [{ status: 'running' }, { endedAt: { gte: lookedAt } }] },
      });
      if (programs > 0) throw new Fault('conflict', RUNS);
      const mark = { trusted: true, writtenBy: `vouch:${person.userId}`, updatedAt: new Date() };
      const marked =
        seen === undefined
          ? await tx.pathTrust.createMany({ data: [{ conversationId, path, ...mark }], skipDuplicates: true })
          : await tx.pathTrust.updateMany({
              where: { conversationId, path, writtenBy: seen.writtenBy, updatedAt: seen.at },
              data: mark,
            });
      if (!isOne(marked)) throw new Fault('conflict', WRITTEN);
      await outbox.appendEvent(tx, {
        type: 'agent.content.vouched',
        workspace: person.workspaceId,
        conversation: conversationId,
        actor: userActor(person.userId),
        causation: toolCallId,
        data: { tool_call_id: toolCallId, slot: number, bytes, digest },
      });
      const call = await tx.toolCall.findUniqueOrThrow({ where: { id: toolCallId } });
      await outbox.appendWork(tx, workAfterVouch(call));
    }),
});
