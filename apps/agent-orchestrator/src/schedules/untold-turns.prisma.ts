/** Turns whose end the broker may not know of. Whoever drove one tells of it; another instance does where that one is late. */
import type { Database } from '../databases/database.prisma.ts';
import type { TellEndsParts } from './schedules.ts';

const BATCH = 50;
const LATE_MS = 30_000;

export const createUntoldTurns = (database: Database, holder: string): TellEndsParts['turns'] => ({
  untold: async () => {
    const rows = await database.turn.findMany({
      where: {
        finishedAt: { not: null },
        brokerToldAt: null,
        OR: [{ holder: null }, { holder }, { finishedAt: { lt: new Date(Date.now() - LATE_MS) } }],
      },
      orderBy: { seq: 'asc' },
      take: BATCH,
      include: { conversation: { select: { workspaceId: true, userId: true } } },
    });
    return rows.map(({ id, conversationId, conversation, workId, status, errorCode }) => ({
      turnId: id,
      conversationId,
      owner: conversation,
      ...{ workId, status, errorCode },
    }));
  },
  answerOf: async (turnId) => {
    const turn = await database.turn.findUnique({ where: { id: turnId } });
    if (!turn?.assistantMessageId) return '';
    return (await database.message.findUnique({ where: { id: turn.assistantMessageId } }))?.content ?? '';
  },
  markTold: async (id) => void (await database.turn.updateMany({ where: { id }, data: { brokerToldAt: new Date() } })),
});
