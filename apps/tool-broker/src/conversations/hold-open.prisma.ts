/** Keeps a conversation from being erased until a transaction ends, for whoever writes words of it. */
import { Fault } from '@bravo/faults';
import type { BrokerTransaction } from '../databases/broker-database.prisma.ts';

/** @throws Fault conversation_ended */
export const holdOpen = async (tx: BrokerTransaction, conversationId: string): Promise<void> => {
  const rows = await tx.$queryRaw<{ erased: boolean }[]>`
    SELECT "erased_at" IS NOT NULL AS "erased" FROM "broker"."conversation" WHERE "id" = ${conversationId} FOR SHARE`;
  if (rows[0]?.erased !== false)
    throw new Fault('conversation_ended', 'The conversation has ended, so no tool can be called.');
};
