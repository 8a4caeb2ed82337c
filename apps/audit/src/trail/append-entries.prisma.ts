/** Appends a batch to the logs in one transaction. Guarantees that an index is given once and in order, and an event taken once; it must never update or delete an entry (triggers refuse, too). */
import { type Database, lockLog, type Transaction } from '../databases/database.prisma.ts';
import type { Appended } from './entries.port.ts';
import type { Leaf } from './leaf.ts';

const TRANSACTION = { maxWait: 10_000, timeout: 30_000 };
/** Raised when a row belongs to a month that has no partition yet. */
const NO_PARTITION = '23514';

/** In the order given, an answer for each. */
export const appendEntries = async (database: Database, leaves: readonly Leaf[]): Promise<readonly Appended[]> => {
  const answers = new Map<Leaf, Appended>();
  // Locks are taken in one order, so that two writers never wait for each other.
  const workspaces = [...new Set(leaves.map(({ workspaceId }) => workspaceId))].sort();
  const append = () =>
    database.$transaction(async (tx) => {
      for (const workspaceId of workspaces) {
        const own = leaves.filter((leaf) => leaf.workspaceId === workspaceId);
        for (const [leaf, answer] of await appendToLog(tx, workspaceId, own)) answers.set(leaf, answer);
      }
    }, TRANSACTION);
  try {
    await append();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    await database.$executeRaw`SELECT "ensure_entries_month"(now()), "ensure_entries_month"(now() + interval '1 month')`;
    await append();
  }
  return leaves.map((leaf) => answers.get(leaf) as Appended);
};

const appendToLog = async (
  tx: Transaction,
  workspaceId: string,
  leaves: readonly Leaf[],
): Promise<Map<Leaf, Appended>> => {
  await lockLog(tx, workspaceId);
  const known = new Map<string, Uint8Array>();
  for (const { event_id, leaf } of await tx.$queryRaw<{ event_id: string; leaf: Uint8Array }[]>`
    SELECT "event_id", "leaf" FROM "entries" WHERE "workspace_id" = ${workspaceId} AND "event_id" = ANY(${leaves.map(({ eventId }) => eventId)})`)
    known.set(event_id, leaf);

  const pruned = await prunedOf(tx, workspaceId, leaves);
  // The size, not the highest row: after a cut tail a new entry leaves a hole instead of filling it.
  const log = await tx.log.findUnique({ where: { workspaceId } });
  const size = Number(log?.size ?? 0);
  const answers = new Map<Leaf, Appended>();
  const fresh: Leaf[] = [];
  for (const leaf of leaves) {
    const before = known.get(leaf.eventId);
    // Recorded once and pruned since: a stream that is published again must not bring it back.
    if (pruned.has(`${leaf.producer} ${leaf.producerSequence}`)) answers.set(leaf, { kind: 'known', same: true });
    else if (before) answers.set(leaf, { kind: 'known', same: Buffer.compare(before, leaf.bytes) === 0 });
    else {
      answers.set(leaf, { kind: 'appended', index: size + fresh.length });
      known.set(leaf.eventId, leaf.bytes);
      fresh.push(leaf);
    }
  }
  if (fresh.length === 0) return answers;
  const grown = BigInt(size + fresh.length);
  if (log) await tx.log.update({ where: { workspaceId }, data: { size: grown } });
  else await tx.log.create({ data: { workspaceId, size: grown } });
  await insert(tx, workspaceId, size, fresh);
  return answers;
};

const prunedOf = async (tx: Transaction, workspaceId: string, leaves: readonly Leaf[]): Promise<Set<string>> => {
  const rows = await tx.$queryRaw<{ producer: string; number: string }[]>`
    SELECT "p"."producer", "n"."number"::text FROM "pruned_numbers" AS "p",
      unnest(${leaves.map(({ producer }) => producer)}::text[], ${leaves.map(({ producerSequence }) => String(producerSequence))}::text[]) AS "n" ("producer", "number")
    WHERE "p"."workspace_id" = ${workspaceId} AND "p"."producer" = "n"."producer" AND "p"."numbers" @> "n"."number"::bigint`;
  return new Set(rows.map(({ producer, number }) => `${producer} ${number}`));
};

const insert = async (tx: Transaction, workspaceId: string, first: number, leaves: readonly Leaf[]): Promise<void> => {
  const of = (field: (leaf: Leaf) => string): string[] => leaves.map(field);
  await tx.$executeRaw`
    INSERT INTO "entries" ("workspace_id", "index", "leaf", "leaf_hash", "event_id", "type", "actor", "on_behalf_of", "conversation_id",
      "producer", "producer_seq", "time", "tool", "tool_call_id", "decision", "rule")
    SELECT ${workspaceId}, ${first} + "at" - 1, convert_to("leaf", 'UTF8'), decode("leaf_hash", 'hex'), "event_id", "type", "actor", "on_behalf_of",
      "conversation_id", "producer", "producer_seq"::bigint, "time"::timestamptz, "tool", "tool_call_id", "decision", "rule"
    FROM unnest(
      ${of(({ bytes }) => Buffer.from(bytes).toString())}::text[], ${of(({ hash }) => Buffer.from(hash).toString('hex'))}::text[],
      ${of(({ eventId }) => eventId)}::text[], ${of(({ type }) => type)}::text[], ${of(({ actor }) => actor)}::text[],
      ${of(({ onBehalfOf }) => onBehalfOf)}::text[], ${of(({ conversationId }) => conversationId)}::text[],
      ${of(({ producer }) => producer)}::text[], ${of(({ producerSequence }) => String(producerSequence))}::text[],
      ${of(({ time }) => time.toISOString())}::text[], ${of(({ tool }) => tool)}::text[], ${of(({ toolCallId }) => toolCallId)}::text[],
      ${of(({ decision }) => decision)}::text[], ${of(({ rule }) => rule)}::text[]
    ) WITH ORDINALITY AS "new" ("leaf", "leaf_hash", "event_id", "type", "actor", "on_behalf_of", "conversation_id",
      "producer", "producer_seq", "time", "tool", "tool_call_id", "decision", "rule", "at")`;
};

const isMissingPartition = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message.includes(NO_PARTITION) || error.message.includes('no partition of relation'));
