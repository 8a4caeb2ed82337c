/** The key of a conversation's content. Guarantees one key per conversation, made when something is first sealed; an ended conversation gets none. */
import { Fault } from '@bravo/faults';
import type { BrokerTransaction } from '../databases/broker-database.prisma.ts';
import type { ContentVault } from './content-vault.ts';

/** Outside a transaction, or in one that holds the conversation's row for itself. @returns the wrapped key. @throws Fault conversation_ended */
export const keyToSealWith = async (
  tx: Pick<BrokerTransaction, 'conversation'>,
  vault: ContentVault,
  conversationId: string,
): Promise<Uint8Array> => {
  const before = await findKey(tx, conversationId);
  if (before !== null) return before;
  await tx.conversation.updateMany({
    where: { id: conversationId, contentKey: null, erasedAt: null },
    data: { contentKey: vault.newKey(conversationId) },
  });
  const key = await findKey(tx, conversationId);
  if (key === null) throw new Fault('conversation_ended', 'The conversation has ended, so nothing of it is kept.');
  return key;
};

export const findKey = async (
  tx: Pick<BrokerTransaction, 'conversation'>,
  conversationId: string,
): Promise<Uint8Array | null> =>
  (await tx.conversation.findUnique({ where: { id: conversationId }, select: { contentKey: true } }))?.contentKey ??
  null;
