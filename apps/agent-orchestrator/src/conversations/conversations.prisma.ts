/** Conversations in Postgres; the owner is part of every query that a person's id reaches. */
import { type Outbox, userActor } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import { toConversation, toMessage, WITH_RUNNING } from '../databases/rows.prisma.ts';
import { inTransaction } from '../databases/transactions.prisma.ts';
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
      where: { workspaceId, userId, ...(after ? { id: { lt: after } } : {}) },
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
  before: async (conversationId, turnId, limit) => {
    const { seq } = await database.turn.findUniqueOrThrow({ where: { id: turnId }, select: { seq: true } });
    const where = { conversationId, seq: { lt: seq } };
    const turns = await database.turn.findMany({ where, orderBy: { seq: 'desc' }, take: limit, select: { id: true } });
    const rankOf = new Map(turns.reverse().map(({ id }, rank) => [id, rank]));
    // A message that waited was recorded before the answer it came after: turns are in order, their messages are not.
    const rows = await database.message.findMany({
      where: { conversationId, turnId: { in: [...rankOf.keys()] } },
      orderBy: { seq: 'asc' },
    });
    const inOrder = rows.sort((a, b) => (rankOf.get(a.turnId) ?? 0) - (rankOf.get(b.turnId) ?? 0));
    return inOrder.slice(-limit).map(toMessage);
  },
});
