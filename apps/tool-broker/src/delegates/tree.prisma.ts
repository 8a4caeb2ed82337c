/** The conversations that share files with one: a person's, and every delegate below it. What is written is marked in all their maps. */
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';

/** In a fixed order, so that no two writers of one path wait for each other; the conversation itself is always among them. */
export const treeOf = async (
  database: Pick<BrokerDatabase | BrokerTransaction, '$queryRaw'>,
  conversationId: string,
): Promise<readonly string[]> => {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT c."id" FROM "broker"."conversation" own
    JOIN "broker"."conversation" c ON c."id" = coalesce(own."root_id", own."id") OR c."root_id" = coalesce(own."root_id", own."id")
    WHERE own."id" = ${conversationId} AND (c."erased_at" IS NULL OR c."id" = own."id") ORDER BY c."id"`;
  return rows.length === 0 ? [conversationId] : rows.map(({ id }) => id);
};
