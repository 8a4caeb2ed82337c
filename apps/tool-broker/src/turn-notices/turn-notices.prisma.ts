/** The notices' table: rows of one conversation leave in the order they were written, one publisher at a time. */
import { parseTurnEvent, publishTurnEvent, type Bus } from '@bravo/events';
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';
import type { TurnNotice, TurnNotices } from './turn-notices.ts';

const BATCH = 100;

export const addNotices = async (
  tx: BrokerTransaction,
  conversationId: string,
  workspaceId: string,
  notices: readonly TurnNotice[],
): Promise<void> => {
  // One at a time: the order of the numbers is the order of the stream.
  for (const notice of notices) {
    // A notice that could not be published is not written either, and so neither is the state it tells.
    const { event, data } = parseTurnEvent(notice);
    await tx.turnNotice.create({ data: { conversationId, workspaceId, event, data: JSON.stringify(data) } });
  }
};

export const createTurnNotices = (database: BrokerDatabase, bus: Bus): TurnNotices => {
  const flush = async (conversationId: string): Promise<void> => {
    for (;;) {
      const sent = await database.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext(${`turn-notices:${conversationId}`}))::text`;
        const rows = await tx.turnNotice.findMany({ where: { conversationId }, orderBy: { id: 'asc' }, take: BATCH });
        for (const row of rows) {
          const event = { event: row.event, data: JSON.parse(row.data) } as TurnNotice;
          await publishTurnEvent(
            bus,
            row.workspaceId,
            row.conversationId,
            event,
            `broker-notice-${conversationId}-${row.id}`,
          );
        }
        await tx.turnNotice.deleteMany({ where: { id: { in: rows.map((row) => row.id) } } });
        return rows.length;
      });
      if (sent < BATCH) return;
    }
  };
  return {
    flush,
    flushAll: async () => {
      const waiting = await database.turnNotice.findMany({
        distinct: ['conversationId'],
        select: { conversationId: true },
        take: BATCH,
      });
      for (const { conversationId } of waiting) await flush(conversationId);
    },
  };
};
