/** Turns in Postgres. Leases are judged by the database's clock alone, so that no two instances can disagree about one. */
import { performance } from 'node:perf_hooks';
import type { Outbox } from '@bravo/events';
import type { Database, Transaction } from '../databases/database.prisma.ts';
import { toMessage } from '../databases/rows.prisma.ts';
import { takeSlot } from '../databases/slots.prisma.ts';
import { inTransaction } from '../databases/transactions.prisma.ts';
import type { TurnStatus } from '../conversations/conversation.ts';
import { finishTurn } from './finish-turn.prisma.ts';
import { recordTurn } from './record-turn.prisma.ts';
import { cancelled, type EndedTurn, interrupted } from './turn-end.ts';
import type { StartedTurn, TurnStore } from './turn-store.ts';

export interface TurnStoreOptions {
  /** This instance. */
  readonly holder: string;
  readonly leaseSeconds: number;
}

interface LockedConversation {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly active: boolean;
  readonly occupiesSlot: boolean;
  readonly rootId: string | null;
  /** Mine, nobody's, or of a holder that did not renew it. */
  readonly free: boolean;
}

const lockConversation = async (
  tx: Transaction,
  id: string,
  holder: string,
): Promise<LockedConversation | undefined> => {
  const [row] = await tx.$queryRaw<LockedConversation[]>`
    SELECT "id", "workspace_id" AS "workspaceId", "user_id" AS "userId", "status" = 'active' AS "active",
      "occupies_slot" AS "occupiesSlot", "root_id" AS "rootId",
      ("lease_holder" IS NULL OR "lease_holder" = ${holder} OR "lease_expires_at" < now()) AS "free"
    FROM "conversations" WHERE "id" = ${id} FOR UPDATE`;
  return row;
};

export const createTurnStore = (
  database: Database,
  outbox: Outbox,
  { holder, leaseSeconds }: TurnStoreOptions,
): TurnStore => ({
  record: (turn) => inTransaction(database, (tx) => recordTurn(tx, outbox, turn)),
  find: async (conversationId, turnId) => {
    const turn = await database.turn.findFirst({ where: { id: turnId, conversationId } });
    return turn
      ? { ...turn, status: turn.status as TurnStatus, assistantMessageId: turn.assistantMessageId ?? '' }
      : undefined;
  },
  startNext: (conversationId, assistantMessageId) =>
    inTransaction(database, async (tx) => {
      const leaseAskedAt = performance.now();
      const conversation = await lockConversation(tx, conversationId, holder);
      if (!conversation?.active || !conversation.free) return undefined;
      const { workspaceId, userId } = conversation;
      // The end of one turn is in the stream before the next begins, or a reader could not tell them apart.
      const busy = await tx.turn.count({
        where: {
          conversationId,
          OR: [{ status: 'running' }, { finishedAt: { not: null }, terminalPublishedAt: null }],
        },
      });
      const next = await tx.turn.findFirst({ where: { conversationId, status: 'queued' }, orderBy: { seq: 'asc' } });
      if (busy > 0 || !next) return undefined;
      const place = { id: conversationId, workspaceId, isDelegate: conversation.rootId !== null };
      if (!conversation.occupiesSlot && !(await takeSlot(tx, place, next.slotLimit))) return undefined;
      await tx.$executeRaw`UPDATE "conversations" SET "lease_holder" = ${holder},
        "lease_expires_at" = now() + make_interval(secs => ${leaseSeconds}::double precision) WHERE "id" = ${conversationId}`;
      await tx.message.create({
        data: { id: assistantMessageId, conversationId, turnId: next.id, role: 'assistant', status: 'streaming' },
      });
      await tx.turn.update({
        where: { id: next.id },
        data: { status: 'running', holder, assistantMessageId, startedAt: new Date() },
      });
      const userMessage = toMessage(await tx.message.findUniqueOrThrow({ where: { id: next.userMessageId } }));
      return {
        id: next.id,
        conversationId,
        owner: { workspaceId, userId },
        rootId: conversation.rootId ?? undefined,
        userMessage,
        contextJson: next.contextJson,
        traceparent: next.traceparent,
        reason: next.reason as StartedTurn['reason'],
        workId: next.workId,
        assistantMessageId,
        leaseAskedAt,
      };
    }),
  checkIn: async (turnId, text) => {
    const turn = await database.turn.findFirst({ where: { id: turnId, status: 'running', holder } });
    if (!turn?.assistantMessageId) return 'lost';
    await database.message.updateMany({
      where: { id: turn.assistantMessageId, status: 'streaming', content: { not: text } },
      data: { content: text },
    });
    return turn.cancelRequested ? 'cancel' : 'go_on';
  },
  assignPod: async (turnId, podId) =>
    void (await database.turn.updateMany({ where: { id: turnId, holder }, data: { podId } })),
  finish: (turnId, text, end) =>
    inTransaction(database, (tx) => finishTurn(tx, outbox, turnId, { status: 'running', holder }, end, text)),
  requestCancel: (conversationId) =>
    inTransaction(database, async (tx) => {
      await lockConversation(tx, conversationId, holder);
      const dropped: EndedTurn[] = [];
      for (const { id } of await tx.turn.findMany({
        where: { conversationId, status: 'queued' },
        orderBy: { seq: 'asc' },
      })) {
        const ended = await finishTurn(tx, outbox, id, { status: 'queued' }, cancelled);
        if (ended) dropped.push(ended);
      }
      const [running] = await tx.turn.updateManyAndReturn({
        where: { conversationId, status: 'running' },
        data: { cancelRequested: true },
      });
      return { dropped, running: running?.id ?? '' };
    }),
  startable: async (limit) => {
    const rows = await database.$queryRaw<{ id: string }[]>`
      SELECT c."id" FROM "conversations" c
      WHERE c."status" = 'active' AND (c."lease_holder" IS NULL OR c."lease_holder" = ${holder} OR c."lease_expires_at" < now())
        AND EXISTS (SELECT 1 FROM "turns" t WHERE t."conversation_id" = c."id" AND t."status" = 'queued')
        AND NOT EXISTS (SELECT 1 FROM "turns" t WHERE t."conversation_id" = c."id" AND t."status" = 'running')
      ORDER BY c."updated_at" LIMIT ${limit}::int`;
    return rows.map(({ id }) => id);
  },
  interruptOrphans: async () => {
    const orphans = await database.$queryRaw<{ id: string; conversationId: string; holder: string }[]>`
      SELECT t."id", t."conversation_id" AS "conversationId", t."holder" FROM "turns" t
      JOIN "conversations" c ON c."id" = t."conversation_id"
      WHERE t."status" = 'running' AND (c."lease_holder" IS NULL OR c."lease_holder" <> t."holder" OR c."lease_expires_at" < now())`;
    const ended: EndedTurn[] = [];
    for (const orphan of orphans) {
      const turn = await inTransaction(database, async (tx) => {
        const [still] = await tx.$queryRaw<{ over: boolean }[]>`
          SELECT ("lease_holder" IS NULL OR "lease_holder" <> ${orphan.holder} OR "lease_expires_at" < now()) AS "over"
          FROM "conversations" WHERE "id" = ${orphan.conversationId} FOR UPDATE`;
        if (!still?.over) return undefined;
        await tx.$executeRaw`UPDATE "conversations" SET "lease_holder" = NULL, "lease_expires_at" = NULL
          WHERE "id" = ${orphan.conversationId} AND "lease_holder" = ${orphan.holder}`;
        const end = interrupted('The process that drove the turn ended.');
        return finishTurn(tx, outbox, orphan.id, { status: 'running', holder: orphan.holder }, end);
      });
      if (turn) ended.push(turn);
    }
    return ended;
  },
  unpublished: async (olderThanMs) => {
    const rows = await database.turn.findMany({
      where: { finishedAt: { lt: new Date(Date.now() - olderThanMs) }, terminalPublishedAt: null },
      orderBy: { seq: 'asc' },
      take: 100,
      include: { conversation: { select: { workspaceId: true } } },
    });
    return Promise.all(
      rows.map(async ({ conversation, ...turn }): Promise<EndedTurn> => {
        const message = turn.assistantMessageId
          ? await database.message.findUnique({ where: { id: turn.assistantMessageId } })
          : null;
        return {
          id: turn.id,
          conversationId: turn.conversationId,
          workspaceId: conversation.workspaceId,
          status: turn.status as TurnStatus,
          assistantMessageId: turn.assistantMessageId ?? '',
          inputTokens: message?.inputTokens ?? 0,
          outputTokens: message?.outputTokens ?? 0,
          errorCode: turn.errorCode,
          errorDetail: turn.errorDetail,
          streamPosition: turn.streamPosition,
          finishedAt: turn.finishedAt ?? turn.createdAt,
        };
      }),
    );
  },
  markPublished: async (turnId) =>
    void (await database.turn.updateMany({
      where: { id: turnId, terminalPublishedAt: null },
      data: { terminalPublishedAt: new Date() },
    })),
});
