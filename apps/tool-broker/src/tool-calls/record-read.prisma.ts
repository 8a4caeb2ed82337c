/** Writes a read that has ended: call, events and notices with one statement, so with one round trip and one commit; nothing of it where the conversation has ended. */
import type { Outbox } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { contextAfterShowing, FRESH_CONTEXT } from '@bravo/policy';
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { noticeColumns } from '../turn-notices/turn-notices.prisma.ts';
import type { ContentSealer, SealedContent } from '../trails/content-sealer.ts';
import { sealInput, sealOutput } from '../trails/seal-call.ts';
import { endEvents, endNotice, keepSlots } from './record-end.prisma.ts';
import { judgedEvents, startNotice } from './record-judged.prisma.ts';
import type { EffectFacts, FinishedCall, JudgedCall, ToolCallLedger } from './tool-call-ledger.ts';
import { newRow, storeEffect } from './tool-call-rows.prisma.ts';
import type { ContentVault } from '../slots/content-vault.ts';
import type { BoundEffect } from '../tools/effect.ts';

export const createRecordRead =
  (database: BrokerDatabase, outbox: Outbox, seal: ContentSealer, vault: ContentVault): ToolCallLedger['recordRead'] =>
  async (call, facts, effect, finished) => {
    const [input, output] = await Promise.all([sealInput(seal, call), sealOutput(seal, effect.who, finished)]);
    const notices = [startNotice(call), endNotice(effect, finished)];
    const write = (tx: Pick<BrokerTransaction, '$queryRaw'>) =>
      writeRead(tx, outbox, { call, facts, effect, finished, input, output }, noticeColumns(notices));
    const stored = hasMore(finished)
      ? await database.$transaction(async (tx) => {
          // The statement locks the conversation's row: it orders everything that changes the context or erases it.
          const ids = await write(tx);
          await keepSlots(tx, vault, effect, finished.slots);
          await raiseContext(tx, effect, finished);
          return ids;
        })
      : await write(database);
    return {
      answer: {
        kind: 'result',
        text: finished.text,
        isError: finished.status !== 'completed',
        references: finished.slots.map((slot) => slot.number),
      },
      fresh: stored.some(({ behind }) => behind)
        ? undefined
        : {
            workspaceId: effect.who.workspaceId,
            rows: stored.map(({ id }, at) => ({ id, notice: notices[at]! })),
          },
    };
  };

interface EndedRead {
  readonly call: JudgedCall;
  readonly facts: EffectFacts;
  readonly effect: BoundEffect;
  readonly finished: FinishedCall;
  readonly input: SealedContent;
  readonly output: SealedContent;
}

/** @returns the numbers of the notices in their order, and whether an earlier notice of the conversation is not told yet. */
const writeRead = async (
  tx: Pick<BrokerTransaction, '$queryRaw'>,
  outbox: Outbox,
  { call, facts, effect, finished, input, output }: EndedRead,
  notices: { events: string[]; data: string[] },
): Promise<{ id: bigint; behind: boolean }[]> => {
  const { decision } = facts;
  const row = newRow(call, { status: finished.status });
  const events = [...judgedEvents(call, decision, input), ...endEvents(effect, finished, output)].map(outbox.toRow);
  const stored = await tx.$queryRaw<{ id: bigint; behind: boolean }[]>`
    WITH "open" AS (
      SELECT "id" FROM "broker"."conversation" WHERE "id" = ${row.conversationId} AND "erased_at" IS NULL FOR UPDATE
    ), "call" AS (
      INSERT INTO "broker"."tool_call" ("id", "conversation_id", "workspace_id", "user_id", "tool", "input", "why", "status",
        "output", "is_error", "refs", "integrity", "confidentiality", "reasons", "call_digest", "duration_ms", "finished_at", "effect")
      SELECT ${row.id}, "id", ${row.workspaceId}, ${row.userId}, ${row.tool}, ${row.input}, ${row.why}, ${finished.status},
        ${finished.text}, ${finished.status !== 'completed'}, ${finished.slots.map(({ number }) => number)}::int[],
        ${finished.label.integrity}, ${finished.label.confidentiality}, ${JSON.stringify(decision.reasons)},
        ${decision.boundTo.digest}, ${finished.durationMs}::int, now(), ${storeEffect(call, facts)} FROM "open"
    ), "events" AS (
      INSERT INTO "broker"."outbox" ("event_id", "stream", "subject", "body")
      SELECT e."id", 'EVENTS', e."subject", e."body" FROM "open", unnest(${events.map(({ eventId }) => eventId)}::text[],
        ${events.map(({ subject }) => subject)}::text[], ${events.map(({ body }) => body)}::text[])
        WITH ORDINALITY AS e("id", "subject", "body", "at") ORDER BY e."at"
    ), "told" AS (
      INSERT INTO "broker"."turn_notice" ("conversation_id", "workspace_id", "event", "data")
      SELECT "open"."id", ${row.workspaceId}, n."event", n."data" FROM "open", unnest(${notices.events}::text[],
        ${notices.data}::text[]) WITH ORDINALITY AS n("event", "data", "at") ORDER BY n."at"
      RETURNING "id"
    )
    SELECT "id", EXISTS (SELECT 1 FROM "broker"."turn_notice" WHERE "conversation_id" = ${row.conversationId}) AS "behind"
    FROM "told" ORDER BY "id"`;
  if (stored.length === 0)
    throw new Fault('conversation_ended', 'The conversation has ended, so no tool can be called.');
  return stored;
};

const contextOf = ({ shown }: FinishedCall) =>
  shown.reduce((now, { label, released }) => contextAfterShowing(now, label, released), FRESH_CONTEXT);

/** What one statement cannot write: bytes behind references, or a context that knows more than before. */
const hasMore = (finished: FinishedCall): boolean => {
  const { integrity, holdsPrivate } = contextOf(finished);
  return finished.slots.length > 0 || holdsPrivate || integrity !== FRESH_CONTEXT.integrity;
};

/** Integrity only falls and private knowledge only grows, so what was shown now is added to whatever was known. */
const raiseContext = async (tx: BrokerTransaction, { who }: BoundEffect, finished: FinishedCall): Promise<void> => {
  const { integrity, holdsPrivate } = contextOf(finished);
  const data = {
    ...(integrity === FRESH_CONTEXT.integrity ? {} : { integrity }),
    ...(holdsPrivate ? { holdsPrivate } : {}),
  };
  if (Object.keys(data).length > 0) await tx.conversation.update({ where: { id: who.conversationId }, data });
};
