/** The workspace's places for conversations with a pod, and apart from them those for delegates: taken under a lock, so that two at once never share one. */
import type { Transaction } from './database.prisma.ts';

const LOCK_NAMESPACE = 0x6f736c74;

/** The caller holds the conversation's row. @returns false when the workspace has no place left. */
export const takeSlot = async (
  tx: Transaction,
  conversation: { readonly id: string; readonly workspaceId: string; readonly isDelegate: boolean },
  limit: number,
): Promise<boolean> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK_NAMESPACE}::int, hashtext(${conversation.workspaceId}))`;
  const others = await tx.conversation.count({
    where: {
      workspaceId: conversation.workspaceId,
      occupiesSlot: true,
      id: { not: conversation.id },
      parentId: conversation.isDelegate ? { not: null } : null,
    },
  });
  if (others >= limit) return false;
  await tx.conversation.update({ where: { id: conversation.id }, data: { occupiesSlot: true } });
  return true;
};

/** Gives the place back once nothing of the conversation runs, waits or holds a pod. Never takes one. */
export const settleSlot = async (tx: Transaction, conversationId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "conversations" SET "occupies_slot" = "occupies_slot" AND (
      EXISTS (SELECT 1 FROM "turns" t WHERE t."conversation_id" = "conversations"."id" AND t."status" IN ('queued', 'running'))
      OR EXISTS (SELECT 1 FROM "pods" p WHERE p."conversation_id" = "conversations"."id" AND p."state" = 'claimed'))
    WHERE "id" = ${conversationId}`;
};
