/** The end of a conversation for what it scheduled: nothing of it fires any more, and neither a line nor a path is kept. */
import type { BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { endSchedule, type Events, workIdOf } from './schedule-rows.prisma.ts';

export const eraseSchedules = async (
  tx: BrokerTransaction,
  outbox: Pick<Events, 'appendEvent' | 'dropWork'>,
  conversationId: string,
): Promise<void> => {
  const where = { conversationId };
  for (const { id } of await tx.schedule.findMany({ where: { ...where, status: 'live' } }))
    await endSchedule(tx, outbox, id, 'conversation_ended');
  const all = await tx.schedule.findMany({ where });
  await outbox.dropWork(tx, all.map(workIdOf));
  await tx.schedule.updateMany({ where, data: { line: '', path: '', landing: '', token: '' } });
  await tx.currentTurn.deleteMany({ where });
};
