/** Policies, holds and stubs in Postgres; every table is only added to, and what happens is told in the same transaction. */
import type { Outbox } from '@bravo/events';
import { serviceActor } from '@bravo/events';
import { ulid } from 'ulid';
import { type Database, lockLog, type Transaction } from '../databases/database.prisma.ts';
import type { Hold, HoldScope, NewHold, Policy, Retention } from './retention.port.ts';
import { spellSpan } from './span.ts';

export const createRetention = (database: Database, outbox: Outbox): Retention => ({
  async policy(workspaceId) {
    const [row] = await database.retentionPolicy.findMany({
      where: { workspaceId: { in: [workspaceId, ''] } },
      // The empty id is the smallest: the workspace's own goes before the operator's.
      orderBy: [{ workspaceId: 'desc' }, { id: 'desc' }],
      take: 1,
    });
    return {
      policy: row ? toPolicy(row) : { rows: null, content: null },
      own: row !== undefined && row.workspaceId !== '',
    };
  },

  async setPolicy(workspaceId, policy, by) {
    await database.$transaction(async (tx) => {
      await tx.retentionPolicy.create({ data: { workspaceId, ...toColumns(policy), setBy: by } });
      const data = { rows: spellSpan(policy.rows), content: spellSpan(policy.content) };
      await outbox.appendEvent(tx, { type: 'agent.retention.changed', workspace: workspaceId, actor: by, data });
    });
  },

  async setDefault(policy) {
    const before = await database.retentionPolicy.findFirst({ where: { workspaceId: '' }, orderBy: { id: 'desc' } });
    const same = before && JSON.stringify(toPolicy(before)) === JSON.stringify(policy);
    if (!same)
      await database.retentionPolicy.create({ data: { workspaceId: '', ...toColumns(policy), setBy: 'operator' } });
  },

  async holds(workspaceId) {
    const rows = await database.hold.findMany({
      where: { workspaceId },
      orderBy: [{ placedAt: 'desc' }, { holdId: 'desc' }],
      include: { lift: true },
    });
    return rows.map(toHold);
  },

  placeHold: (workspaceId, hold) =>
    database.$transaction(async (tx) => {
      await lockLog(tx, workspaceId);
      const protectsFrom = await firstUnder(tx, workspaceId, hold);
      const { placedBy, scope, subject, reason } = hold;
      const holdId = `hld_${ulid().toLowerCase()}`;
      const row = await tx.hold.create({
        data: { holdId, workspaceId, scope, subject, reason, placedBy, protectsFrom: BigInt(protectsFrom) },
      });
      await outbox.appendEvent(tx, {
        type: 'agent.hold.placed',
        workspace: workspaceId,
        actor: placedBy,
        data: { hold_id: holdId, scope, ...subjectData(scope, subject), protects_from: protectsFrom, reason },
      });
      return toHold({ ...row, lift: null });
    }),

  liftHold: (workspaceId, holdId, by, reason) =>
    database.$transaction(async (tx) => {
      await lockLog(tx, workspaceId);
      const row = await tx.hold.findUnique({ where: { holdId }, include: { lift: true } });
      if (!row || row.workspaceId !== workspaceId) return undefined;
      if (row.lift) return toHold(row);
      const lift = await tx.holdLift.create({ data: { holdId, reason, liftedBy: by } });
      const data = { hold_id: holdId, reason };
      await outbox.appendEvent(tx, { type: 'agent.hold.lifted', workspace: workspaceId, actor: by, data });
      return toHold({ ...row, lift });
    }),

  async stub(workspaceId) {
    const row = await database.stub.findFirst({ where: { workspaceId }, orderBy: { size: 'desc' } });
    return row ? { size: Number(row.size), note: row.note, peaks: row.peaks } : undefined;
  },

  async prunable() {
    const rows = await database.$queryRaw<{ workspace_id: string; seconds: bigint | null }[]>`
      SELECT "l"."workspace_id", (SELECT "rows_seconds" FROM "retention_policies" AS "p" WHERE "p"."workspace_id" IN ("l"."workspace_id", '')
        ORDER BY "p"."workspace_id" = '', "id" DESC LIMIT 1) AS "seconds" FROM "logs" AS "l"`;
    return rows.flatMap(({ workspace_id: workspaceId, seconds }) =>
      seconds === null ? [] : [{ workspaceId, seconds: Number(seconds) }],
    );
  },

  async pruneTo(workspaceId, seconds, sinks) {
    // A row that only tells of pruning is no reason to prune: else an idle log would go on for ever.
    const [found] = await database.$queryRaw<{ size: bigint | null; before: Date }[]>`
      WITH "cutoff" AS (SELECT now() - make_interval(secs => ${seconds}::double precision) AS "before"),
      "old" AS (SELECT COALESCE(
        (SELECT MIN("index") FROM "entries", "cutoff" WHERE "workspace_id" = ${workspaceId} AND "recorded_at" >= "before"),
        (SELECT "size" FROM "logs" WHERE "workspace_id" = ${workspaceId})) AS "upto"),
      "held" AS (SELECT MIN("protects_from") AS "upto" FROM "holds" AS "h" WHERE "workspace_id" = ${workspaceId}
        AND NOT EXISTS (SELECT 1 FROM "hold_lifts" AS "l" WHERE "l"."hold_id" = "h"."hold_id")),
      "kept" AS (SELECT MIN("size") AS "upto" FROM (SELECT COALESCE(
        (SELECT MAX("size") FROM "deliveries" AS "d" WHERE "d"."workspace_id" = ${workspaceId} AND "d"."sink" = "s"), 0) AS "size"
        FROM unnest(${[...sinks]}::text[]) AS "s") AS "places"),
      -- What a destination of the trail does not have yet would never reach it.
      "sent" AS (SELECT MIN("next_index") AS "upto" FROM "destinations" WHERE "workspace_id" = ${workspaceId} AND "removed_at" IS NULL)
      SELECT MAX("c"."size") AS "size", MIN("cutoff"."before") AS "before" FROM "cutoff", "old", "held", "kept", "sent", "checkpoints" AS "c"
      WHERE "c"."workspace_id" = ${workspaceId} AND "c"."size" <= LEAST("old"."upto", "held"."upto", "kept"."upto", "sent"."upto")
        AND EXISTS (SELECT 1 FROM "entries" AS "e" WHERE "e"."workspace_id" = ${workspaceId} AND "e"."index" < "c"."size" AND "e"."type" <> 'agent.trail.pruned')`;
    return { size: Number(found?.size ?? 0), before: found?.before ?? new Date(0) };
  },

  expireContent: (keyLifeSeconds) =>
    database.$transaction(async (tx) => {
      const gone = await tx.$queryRaw<{ workspace_id: string; user_id: string; keys: bigint; before: Date }[]>`
        WITH "over" AS (
          UPDATE "person_keys" AS "k" SET "wrapped_key" = NULL, "erased_at" = now()
          FROM (SELECT "workspace_id", (SELECT "content_seconds" FROM "retention_policies" AS "p" WHERE "p"."workspace_id" IN ("w"."workspace_id", '')
            ORDER BY "p"."workspace_id" = '', "id" DESC LIMIT 1) AS "seconds" FROM (SELECT DISTINCT "workspace_id" FROM "person_keys") AS "w") AS "policy"
          WHERE "k"."workspace_id" = "policy"."workspace_id" AND "policy"."seconds" IS NOT NULL AND "k"."erased_at" IS NULL
            AND "k"."created_at" < now() - make_interval(secs => (${keyLifeSeconds}::bigint + "policy"."seconds")::double precision)
            AND NOT EXISTS (SELECT 1 FROM "holds" AS "h" WHERE "h"."workspace_id" = "k"."workspace_id"
              AND NOT EXISTS (SELECT 1 FROM "hold_lifts" AS "l" WHERE "l"."hold_id" = "h"."hold_id")
              AND ("h"."scope" = 'workspace' OR ("h"."scope" = 'person' AND "h"."subject" = "k"."user_id")
                OR ("h"."scope" = 'conversation' AND EXISTS (SELECT 1 FROM "entries" AS "e" WHERE "e"."workspace_id" = "k"."workspace_id"
                  AND "e"."conversation_id" = "h"."subject" AND ("e"."on_behalf_of" = "k"."user_id" OR "e"."actor" = 'user:' || "k"."user_id")))))
          RETURNING "k"."workspace_id", "k"."user_id", "k"."created_at")
        SELECT "workspace_id", "user_id", COUNT(*) AS "keys", MAX("created_at") AS "before" FROM "over" GROUP BY "workspace_id", "user_id"`;
      for (const { workspace_id: workspace, user_id, keys, before } of gone)
        await outbox.appendEvent(tx, {
          type: 'agent.content.expired',
          workspace,
          actor: serviceActor('audit'),
          data: { user_id, keys: Number(keys), before: before.toISOString() },
        });
      return gone.reduce((sum, { keys }) => sum + Number(keys), 0);
    }),
});

/** The first entry under a hold; where there is none yet, the next one that comes. */
const firstUnder = async (tx: Transaction, workspaceId: string, { scope, subject }: NewHold): Promise<number> => {
  const of = {
    workspace: {},
    conversation: { conversationId: subject },
    person: { OR: [{ onBehalfOf: subject }, { actor: `user:${subject}` }] },
  }[scope];
  const first = await tx.entry.findFirst({
    where: { workspaceId, ...of },
    orderBy: { index: 'asc' },
    select: { index: true },
  });
  if (first) return Number(first.index);
  return Number((await tx.log.findUnique({ where: { workspaceId } }))?.size ?? 0);
};

/** Whether a person's sealed content is held: asked in the transaction that would destroy it. */
export const holdOver = async (tx: Transaction, workspaceId: string, userId: string): Promise<string | undefined> => {
  const [row] = await tx.$queryRaw<{ hold_id: string }[]>`
    SELECT "hold_id" FROM "holds" AS "h" WHERE "workspace_id" = ${workspaceId}
      AND NOT EXISTS (SELECT 1 FROM "hold_lifts" AS "l" WHERE "l"."hold_id" = "h"."hold_id")
      AND ("scope" = 'workspace' OR ("scope" = 'person' AND "subject" = ${userId})
        OR ("scope" = 'conversation' AND EXISTS (SELECT 1 FROM "entries" AS "e" WHERE "e"."workspace_id" = ${workspaceId}
          AND "e"."conversation_id" = "h"."subject" AND ("e"."on_behalf_of" = ${userId} OR "e"."actor" = 'user:' || ${userId}))))
    LIMIT 1`;
  return row?.hold_id;
};

const subjectData = (scope: HoldScope, subject: string) =>
  scope === 'person' ? { user_id: subject } : scope === 'conversation' ? { conversation_id: subject } : {};

const seconds = (value: bigint | null): number | null => (value === null ? null : Number(value));
const toPolicy = (row: { rowsSeconds: bigint | null; contentSeconds: bigint | null }): Policy => ({
  rows: seconds(row.rowsSeconds),
  content: seconds(row.contentSeconds),
});
const toColumns = ({ rows, content }: Policy) => ({
  rowsSeconds: rows === null ? null : BigInt(rows),
  contentSeconds: content === null ? null : BigInt(content),
});

interface HoldRow {
  readonly holdId: string;
  readonly scope: string;
  readonly subject: string;
  readonly reason: string;
  readonly placedBy: string;
  readonly placedAt: Date;
  readonly protectsFrom: bigint;
  readonly lift: { readonly liftedBy: string; readonly liftedAt: Date; readonly reason: string } | null;
}
const toHold = (row: HoldRow): Hold => ({
  holdId: row.holdId,
  scope: row.scope as HoldScope,
  subject: row.subject,
  reason: row.reason,
  placedBy: row.placedBy,
  placedAt: row.placedAt,
  protectsFrom: Number(row.protectsFrom),
  lifted: row.lift ? { by: row.lift.liftedBy, at: row.lift.liftedAt, reason: row.lift.reason } : undefined,
});
