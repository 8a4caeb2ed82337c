/** Which conversation's files a conversation works on, as it was when it began: it is read once. */
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';

const KEPT = 10_000;

export const createRootOf = (database: BrokerDatabase): ((conversationId: string) => Promise<string>) => {
  const roots = new Map<string, string>();
  return async (conversationId) => {
    const known = roots.get(conversationId);
    if (known !== undefined) return known;
    const row = await database.conversation.findUnique({ where: { id: conversationId }, select: { rootId: true } });
    // Of one that is not there nothing is remembered: it may be about to begin.
    if (row === null) return conversationId;
    if (roots.size >= KEPT) roots.clear();
    roots.set(conversationId, row.rootId ?? conversationId);
    return row.rootId ?? conversationId;
  };
};
