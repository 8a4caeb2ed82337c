/** The log in Postgres. Guarantees that an index is given once and in order; it must never update or delete an entry (a trigger refuses, too). */
import { lockLog, type Database } from '../databases/database.prisma.ts';
import type { Prisma, Entry } from '../generated/prisma/client.ts';
import type { Entries, EntryFilter, EntryPage, SequenceGap, StoredEntry } from './entries.port.ts';
import type { Leaf, LeafColumns } from './leaf.ts';

const MAX_GAPS = 100;

export const createEntries = (database: Database): Entries => ({
  append: (leaf) =>
    database.$transaction(async (tx) => {
      await lockLog(tx, leaf.workspaceId);
      const known = await tx.entry.findUnique({ where: { eventId: leaf.eventId }, select: { leaf: true } });
      if (known) return { kind: 'known', same: Buffer.compare(known.leaf, leaf.bytes) === 0 };
      const { workspaceId } = leaf;
      // The size, not the highest row: after a cut tail a new entry leaves a hole instead of filling it.
      const log = await tx.log.findUnique({ where: { workspaceId } });
      if (log) await tx.log.update({ where: { workspaceId }, data: { size: { increment: 1 } } });
      else await tx.log.create({ data: { workspaceId, size: 1 } });
      const index = log?.size ?? 0n;
      await tx.entry.create({ data: { ...toColumns(leaf), index } });
      return { kind: 'appended', index: Number(index) };
    }),

  async reject(message) {
    await database.rejection.createMany({
      data: [{ ...message, streamSequence: BigInt(message.streamSequence) }],
      skipDuplicates: true,
    });
  },

  async list(workspaceId, filter, page) {
    const rows = await database.entry.findMany({
      where: { workspaceId, ...indexRange(page), ...toWhere(filter) },
      orderBy: { index: page.order },
      take: page.limit,
    });
    return rows.map(toStored);
  },

  async firstOf(workspaceId, conversationId) {
    const row = await database.entry.findFirst({ where: { workspaceId, conversationId }, orderBy: { index: 'asc' } });
    return row ? toStored(row) : undefined;
  },

  async size(workspaceId) {
    return Number((await database.log.findUnique({ where: { workspaceId } }))?.size ?? 0);
  },

  async gaps(workspaceId) {
    const rows = await database.$queryRaw<{ producer: string; first: bigint; last: bigint }[]>`
      SELECT "producer", "before" + 1 AS "first", "producer_seq" - 1 AS "last" FROM (
        SELECT "producer", "producer_seq", lag("producer_seq", 1, 0::bigint) OVER (PARTITION BY "producer" ORDER BY "producer_seq") AS "before"
        FROM "entries" WHERE "producer" IN (SELECT DISTINCT "producer" FROM "entries" WHERE "workspace_id" = ${workspaceId})
      ) AS "numbered" WHERE "producer_seq" > "before" + 1 ORDER BY "producer", "first" LIMIT ${MAX_GAPS}`;
    return rows.map(({ producer, first, last }): SequenceGap => ({
      producer,
      first: Number(first),
      last: Number(last),
    }));
  },
});

const indexRange = ({ order, after }: EntryPage): Prisma.EntryWhereInput => {
  if (after === undefined) return {};
  return { index: order === 'asc' ? { gt: BigInt(after) } : { lt: BigInt(after) } };
};

const toWhere = ({ conversationId, actor, type, from, to }: EntryFilter): Prisma.EntryWhereInput => ({
  ...(conversationId === undefined ? {} : { conversationId }),
  ...(actor === undefined ? {} : { actor }),
  ...(type === undefined ? {} : { type }),
  ...(from || to ? { time: { ...(from ? { gte: from } : {}), ...(to ? { lt: to } : {}) } } : {}),
});

const toColumns = (leaf: Leaf) => ({
  workspaceId: leaf.workspaceId,
  leaf: leaf.bytes,
  leafHash: leaf.hash,
  eventId: leaf.eventId,
  type: leaf.type,
  actor: leaf.actor,
  onBehalfOf: leaf.onBehalfOf,
  conversationId: leaf.conversationId,
  producer: leaf.producer,
  producerSeq: BigInt(leaf.producerSequence),
  time: leaf.time,
});

const toStored = (row: Entry): StoredEntry & LeafColumns => ({
  workspaceId: row.workspaceId,
  index: Number(row.index),
  bytes: row.leaf,
  hash: row.leafHash,
  eventId: row.eventId,
  type: row.type,
  actor: row.actor,
  onBehalfOf: row.onBehalfOf,
  conversationId: row.conversationId,
  producer: row.producer,
  producerSequence: Number(row.producerSeq),
  time: row.time,
  recordedAt: row.recordedAt,
});
