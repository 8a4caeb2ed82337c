/** Pods in Postgres: claim and release are compare-and-set with their event in the same transaction. */
import { type Outbox, serviceActor } from '@bravo/events';
import type { Database, Transaction } from '../databases/database.prisma.ts';
import { settleSlot } from '../databases/slots.prisma.ts';
import { holdConversation, inTransaction } from '../databases/transactions.prisma.ts';
import type { PodModel } from '../generated/prisma/models.ts';
import type { PodStore } from './pod-store.ts';

const OPEN = ['starting', 'warm', 'claimed'];

export const createPodStore = (database: Database, outbox: Outbox, owner: string): PodStore => {
  const release = async (tx: Transaction, pod: PodModel, reason: string, at: Date): Promise<void> => {
    if (pod.conversationId) await holdConversation(tx, pod.conversationId);
    const { count } = await tx.pod.updateMany({
      where: { id: pod.id, state: { in: OPEN } },
      data: { state: 'released', releasedAt: at, releaseReason: reason },
    });
    if (count === 0 || !pod.claimedAt || !pod.workspaceId || !pod.conversationId) return;
    await settleSlot(tx, pod.conversationId);
    await outbox.appendEvent(tx, {
      type: 'agent.pod.released',
      workspace: pod.workspaceId,
      conversation: pod.conversationId,
      actor: serviceActor('orchestrator'),
      ...(pod.userId ? { onBehalfOf: pod.userId } : {}),
      data: {
        pod_id: pod.id,
        reason,
        container_seconds: Math.max(0, (at.getTime() - pod.claimedAt.getTime()) / 1000),
      },
    });
  };
  return {
    insert: async (pod) => void (await database.pod.create({ data: { ...pod, owner, state: 'starting' } })),
    countByState: async () => {
      const rows = await database.pod.groupBy({ by: ['state'], where: { state: { in: OPEN } }, _count: true });
      return Object.fromEntries(OPEN.map((state) => [state, rows.find((row) => row.state === state)?._count ?? 0]));
    },
    markWarm: async (id) =>
      void (await database.pod.updateMany({ where: { id, state: 'starting' }, data: { state: 'warm' } })),
    claim: ({ podId, conversationId, owner: { workspaceId, userId }, warm, durationMs }) =>
      inTransaction(database, async (tx) => {
        await holdConversation(tx, conversationId);
        // Whoever claims holds the lease: what an earlier holder had for the conversation is nobody's any more.
        for (const pod of await tx.pod.findMany({ where: { conversationId, state: 'claimed' } })) {
          await release(tx, pod, 'its orchestrator ended', pod.seenAt);
        }
        const { count } = await tx.pod.updateMany({
          where: { id: podId, owner, state: 'warm' },
          data: { state: 'claimed', conversationId, workspaceId, userId, claimedAt: new Date() },
        });
        if (count === 0) return false;
        await outbox.appendEvent(tx, {
          type: 'agent.pod.claimed',
          workspace: workspaceId,
          conversation: conversationId,
          actor: serviceActor('orchestrator'),
          onBehalfOf: userId,
          data: { pod_id: podId, warm, duration_ms: Math.max(0, Math.round(durationMs)) },
        });
        return true;
      }),
    release: (podId, reason) =>
      inTransaction(database, async (tx) => {
        const pod = await tx.pod.findUnique({ where: { id: podId } });
        if (pod) await release(tx, pod, reason, new Date());
      }),
    heartbeat: async () => {
      const rows = await database.pod.updateManyAndReturn({
        where: { owner, state: { in: OPEN } },
        data: { seenAt: new Date() },
        select: { id: true, createdAt: true },
      });
      return rows;
    },
    releaseLeft: async (deadOwners, unseenMs) => {
      const left = await database.pod.findMany({
        where: {
          state: { in: OPEN },
          owner: { not: owner },
          OR: [{ owner: { in: [...deadOwners] } }, { seenAt: { lt: new Date(Date.now() - unseenMs) } }],
        },
      });
      for (const pod of left)
        await inTransaction(database, (tx) => release(tx, pod, 'its orchestrator ended', pod.seenAt));
      return left.length;
    },
    unrevoked: async (limit) => {
      const rows = await database.pod.findMany({ where: { state: 'released', revokedAt: null }, take: limit });
      return rows.map(({ id, tokenId }) => ({ podId: id, tokenId }));
    },
    markRevoked: async (id) => void (await database.pod.update({ where: { id }, data: { revokedAt: new Date() } })),
    giveWay: async (workspaceId) => {
      // The pod row is locked, so two messages at once never ask the same pod and both take its place.
      const [pod] = await database.$queryRaw<{ id: string }[]>`
        UPDATE "pods" SET "wanted_at" = now() WHERE "id" = (
          SELECT p."id" FROM "pods" p JOIN "conversations" c ON c."id" = p."conversation_id"
          WHERE p."workspace_id" = ${workspaceId} AND p."state" = 'claimed' AND p."wanted_at" IS NULL
            AND c."parent_id" IS NULL
            AND NOT EXISTS (SELECT 1 FROM "turns" t WHERE t."conversation_id" = c."id" AND t."status" IN ('queued', 'running'))
          ORDER BY c."updated_at" LIMIT 1 FOR UPDATE OF p SKIP LOCKED)
        RETURNING "id"`;
      return pod?.id;
    },
    wanted: async () =>
      (
        await database.pod.findMany({
          where: { owner, state: 'claimed', wantedAt: { not: null } },
          select: { id: true },
        })
      ).map(({ id }) => id),
    isReleased: async (id) =>
      (await database.pod.findUnique({ where: { id }, select: { state: true } }))?.state === 'released',
    isIdle: async (conversationId) =>
      (await database.turn.count({ where: { conversationId, status: { in: ['queued', 'running'] } } })) === 0,
    ended: async (ids) => {
      const rows = await database.conversation.findMany({
        where: { id: { in: [...ids] }, status: 'ended' },
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },
    uses: async (workspaceId, from, to, userId) => {
      const rows = await database.pod.findMany({
        where: {
          workspaceId,
          claimedAt: { lt: to },
          OR: [{ releasedAt: null }, { releasedAt: { gt: from } }],
          ...(userId ? { userId } : {}),
        },
      });
      return rows.flatMap(({ userId: user, claimedAt, releasedAt }) =>
        user && claimedAt ? [{ userId: user, claimedAt, releasedAt: releasedAt ?? undefined }] : [],
      );
    },
  };
};
