/** Conversations in Postgres; the owner is part of every query that a person's id reaches. */
import { type Outbox, userActor } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import type { MessageModel } from '../generated/prisma/models.ts';
import { toConversation, toMessage, WITH_RUNNING } from '../databases/rows.prisma.ts';
import { inTransaction } from '../databases/transactions.prisma.ts';
import { endDelegatesOf } from '../delegates/end-delegates.prisma.ts';
import type { ConversationStore } from './conversation-store.ts';

export const createConversationStore = (database: Database, outbox: Outbox): ConversationStore => ({
  create: (conversation) =>
    inTransaction(database, async (tx) => {
      const row = await tx.conversation.create({ data: conversation });
      const { id, workspaceId, userId, mode, projectId, policyVersion, title } = conversation;
      await outbox.appendEvent(tx, {
        type: 'agent.conversation.created',
        workspace: workspaceId,
        conversation: id,
        actor: userActor(userId),
        data: {
          mode,
          policy_version: policyVersion,
          title_bytes: Buffer.byteLength(title),
          ...(projectId ? { project_id: projectId } : {}),
        },
      });
      return toConversation(row);
    }),
  find: async (id, { workspaceId, userId }) => {
    const row = await database.conversation.findFirst({ where: { id, workspaceId, userId }, include: WITH_RUNNING });
    return row ? toConversation(row) : undefined;
  },
  list: async ({ workspaceId, userId }, { limit, after }) => {
    const rows = await database.conversation.findMany({
      where: { workspaceId, userId, parentId: null, ...(after ? { id: { lt: after } } : {}) },
      orderBy: { id: 'desc' },
      take: limit + 1,
      include: WITH_RUNNING,
    });
    return rows.map(toConversation);
  },
  setMode: (id, from, mode, { workspaceId, userId }) =>
    inTransaction(database, async (tx) => {
      await tx.conversation.update({ where: { id }, data: { mode, updatedAt: new Date() } });
      await outbox.appendEvent(tx, {
        type: 'agent.conversation.mode_changed',
        workspace: workspaceId,
        conversation: id,
        actor: userActor(userId),
        data: { from, to: mode },
      });
    }),
  end: (id, { workspaceId, userId }) =>
    inTransaction(database, async (tx) => {
      const { count } = await tx.conversation.updateMany({
        where: { id, workspaceId, userId, status: 'active' },
        data: { status: 'ended', endedAt: new Date(), updatedAt: new Date(), attachedUntil: null },
      });
      if (count === 0) return;
      await tx.turn.updateMany({ where: { conversationId: id, status: 'running' }, data: { cancelRequested: true } });
      await endDelegatesOf(tx, outbox, id, 'the conversation it works for ended');
      await outbox.appendEvent(tx, {
        type: 'agent.conversation.ended',
        workspace: workspaceId,
        conversation: id,
        actor: userActor(userId),
        data: { reason: 'ended by the person' },
      });
    }),
  unerased: async (limit) => {
    const rows = await database.conversation.findMany({
      where: { status: 'ended', erasedAt: null },
      orderBy: { endedAt: 'asc' },
      take: limit,
      include: WITH_RUNNING,
    });
    return rows.map(toConversation);
  },
  unerasedBelow: async (rootId) => {
    const rows = await database.conversation.findMany({
      where: { rootId, status: 'ended', erasedAt: null },
      orderBy: { id: 'desc' },
      include: WITH_RUNNING,
    });
    return rows.map(toConversation);
  },
  markErased: async (id) =>
    void (await database.conversation.update({ where: { id }, data: { erasedAt: new Date() } })),
  attach: (id, { workspaceId, userId }, { tokenId, expiresAt }) =>
    inTransaction(database, async (tx) => {
      await tx.conversation.update({ where: { id }, data: { attachedUntil: expiresAt, updatedAt: new Date() } });
      await outbox.appendEvent(tx, {
        type: 'agent.token.minted',
        workspace: workspaceId,
        conversation: id,
        actor: userActor(userId),
        data: { token_id: tokenId, kind: 'agent', reason: 'attach' },
      });
    }),
  messages: async (conversationId, { limit, after }) => {
    const rows = await database.message.findMany({
      where: { conversationId, ...(after ? { seq: { lt: BigInt(after) } } : {}) },
      orderBy: { seq: 'desc' },
      take: limit + 1,
    });
    return rows.map(toMessage);
  },
  message: async (id) => {
    const row = await database.message.findUnique({ where: { id } });
    return row ? toMessage(row) : undefined;
  },
  before: async (conversationId, turnId, { after, maxBytes }) => {
    const rows = await database.$queryRaw<(MessageModel & { turnSeq: bigint; total: number })[]>`
      SELECT "id", "seq", "conversation_id" AS "conversationId", "turn_id" AS "turnId", "role", "content", "status",
        "input_tokens" AS "inputTokens", "output_tokens" AS "outputTokens", "error_code" AS "errorCode",
        "created_at" AS "createdAt", "turn_seq" AS "turnSeq", "total"
      FROM (
        SELECT m.*, t."seq" AS "turn_seq", count(*) OVER ()::int AS "total",
          sum(octet_length(m."content") + 64) OVER newest AS "bytes", row_number() OVER newest AS "rank"
        FROM "messages" m JOIN "turns" t ON t."id" = m."turn_id"
        WHERE m."conversation_id" = ${conversationId} AND m."content" <> '' AND t."seq" > ${after}::bigint
          AND t."seq" < (SELECT "seq" FROM "turns" WHERE "id" = ${turnId})
        WINDOW newest AS (ORDER BY t."seq" DESC, m."seq" DESC)
      ) AS said
      WHERE "bytes" <= ${maxBytes}::bigint OR "rank" = 1
      ORDER BY "turn_seq", "seq"`;
    const messages = rows.map(({ total: _, turnSeq, ...row }) => ({ ...toMessage(row), turnSeq }));
    return { messages, total: rows[0]?.total ?? 0 };
  },
});
