/** The log in Postgres. Guarantees that an index is given once and in order; it must never update or delete an entry (a trigger refuses, too). */
import type pg from 'pg';
import type { Database } from '../databases/database.prisma.ts';
import { Prisma, type Entry } from '../generated/prisma/client.ts';
import { appendEntries } from './append-entries.prisma.ts';
import type { Entries, EntryFilter, SequenceGap, StoredEntry } from './entries.port.ts';
import type { LeafColumns } from './leaf.ts';
import { scanEntries } from './scan-entries.prisma.ts';

const MAX_GAPS = 100;

export const createEntries = (database: Database, pool: pg.Pool): Entries => ({
  append: (leaves) => appendEntries(database, leaves),

  scan: (workspaceId, from, to, firstRows) => scanEntries(pool, workspaceId, from, to, firstRows),

  async reject(message) {
    await database.rejection.createMany({
      data: [{ ...message, streamSequence: BigInt(message.streamSequence) }],
      skipDuplicates: true,
    });
  },

  async list(workspaceId, filter, page) {
    const { order, after, limit } = page;
    const beyond = order === 'asc' ? Prisma.sql`"index" > ${after}` : Prisma.sql`"index" < ${after}`;
    const where = [
      Prisma.sql`"workspace_id" = ${workspaceId}`,
      ...(after === undefined ? [] : [beyond]),
      ...conditions(filter),
    ];
    const rows = await database.$queryRaw<Row[]>`
      SELECT * FROM "entries" WHERE ${Prisma.join(where, ' AND ')}
      ORDER BY "index" ${Prisma.raw(order === 'asc' ? 'ASC' : 'DESC')} LIMIT ${limit}`;
    return rows.map(fromRow);
  },

  async firstOf(workspaceId, conversationId) {
    const row = await database.entry.findFirst({ where: { workspaceId, conversationId }, orderBy: { index: 'asc' } });
    return row ? toStored(row) : undefined;
  },

  async size(workspaceId) {
    return Number((await database.log.findUnique({ where: { workspaceId } }))?.size ?? 0);
  },

  gaps: (workspaceId) =>
    gapsOf(
      database,
      Prisma.sql`WHERE "producer" IN (SELECT "producer" FROM "entries" WHERE "workspace_id" = ${workspaceId}
        UNION SELECT "producer" FROM "pruned_numbers" WHERE "workspace_id" = ${workspaceId})`,
    ),
  allGaps: () => gapsOf(database, Prisma.empty),
});

const gapsOf = async (database: Database, where: Prisma.Sql): Promise<readonly SequenceGap[]> => {
  const rows = await database.$queryRaw<{ producer: string; first: bigint; last: bigint }[]>`
      SELECT "producer", "before" + 1 AS "first", "low" - 1 AS "last" FROM (
        SELECT "producer", "low", lag("high", 1, 0::bigint) OVER (PARTITION BY "producer" ORDER BY "low") AS "before" FROM (
          SELECT "producer", "producer_seq" AS "low", "producer_seq" AS "high" FROM "entries"
          UNION ALL SELECT "producer", lower("range"), upper("range") - 1 FROM "pruned_numbers", unnest("numbers") AS "range"
        ) AS "numbers" ${where}
      ) AS "numbered" WHERE "low" > "before" + 1 ORDER BY "producer", "first" LIMIT ${MAX_GAPS}`;
  return rows.map(({ producer, first, last }): SequenceGap => ({
    producer,
    first: Number(first),
    last: Number(last),
  }));
};

const conditions = (filter: EntryFilter): Prisma.Sql[] => {
  const equal = (column: string, value: string | undefined): Prisma.Sql[] =>
    value === undefined ? [] : [Prisma.sql`${Prisma.raw(`"${column}"`)} = ${value}`];
  const holds = (words: string | undefined): Prisma.Sql[] =>
    words === undefined ? [] : [Prisma.sql`position(convert_to(${words}, 'UTF8') IN "leaf") > 0`];
  const { conversationId, actor, onBehalfOf, type, tool, toolCallId, decision, rule, resource, text, from, to } =
    filter;
  return [
    ...equal('conversation_id', conversationId),
    ...equal('actor', actor),
    ...equal('on_behalf_of', onBehalfOf),
    ...equal('type', type),
    ...equal('tool', tool),
    ...equal('tool_call_id', toolCallId),
    ...equal('decision', decision),
    ...equal('rule', rule),
    // The bytes are canonical JSON, so an id stands there in quotes and a text as JSON spells it.
    ...holds(resource === undefined ? undefined : JSON.stringify(resource)),
    ...holds(text === undefined ? undefined : JSON.stringify(text).slice(1, -1)),
    ...(from ? [Prisma.sql`"time" >= ${from}`] : []),
    ...(to ? [Prisma.sql`"time" < ${to}`] : []),
  ];
};

export interface Row {
  readonly workspace_id: string;
  readonly index: bigint;
  readonly leaf: Uint8Array<ArrayBuffer>;
  readonly leaf_hash: Uint8Array<ArrayBuffer>;
  readonly event_id: string;
  readonly type: string;
  readonly actor: string;
  readonly on_behalf_of: string;
  readonly conversation_id: string;
  readonly producer: string;
  readonly producer_seq: bigint;
  readonly time: Date;
  readonly recorded_at: Date;
  readonly tool: string;
  readonly tool_call_id: string;
  readonly decision: string;
  readonly rule: string;
}

export const fromRow = (row: Row): StoredEntry =>
  toStored({
    workspaceId: row.workspace_id,
    index: row.index,
    leaf: row.leaf,
    leafHash: row.leaf_hash,
    eventId: row.event_id,
    type: row.type,
    actor: row.actor,
    onBehalfOf: row.on_behalf_of,
    conversationId: row.conversation_id,
    producer: row.producer,
    producerSeq: row.producer_seq,
    time: row.time,
    recordedAt: row.recorded_at,
    tool: row.tool,
    toolCallId: row.tool_call_id,
    decision: row.decision,
    rule: row.rule,
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
  tool: row.tool,
  toolCallId: row.toolCallId,
  decision: row.decision,
  rule: row.rule,
  recordedAt: row.recordedAt,
});
