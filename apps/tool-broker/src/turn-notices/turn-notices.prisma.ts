/** The notices' table: rows of one conversation leave in the order they were written, one publisher at a time. */
import { parseTurnEvent, publishTurnEvent, type Bus } from '@bravo/events';
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';
import type { TurnNotice, TurnNotices } from './turn-notices.ts';

const BATCH = 100;

export const addNotices = async (
  tx: BrokerTransaction,
  conversationId: string,
  workspaceId: string,
  notices: readonly TurnNotice[],
): Promise<void> => {
  const { events, data } = noticeColumns(notices);
  await tx.$executeRaw`
    INSERT INTO "broker"."turn_notice" ("conversation_id", "workspace_id", "event", "data")
    SELECT ${conversationId}, ${workspaceId}, n."event", n."data"
    FROM unnest(${events}::text[], ${data}::text[]) WITH ORDINALITY AS n("event", "data", "at") ORDER BY n."at"`;
  if (events.some((event) => ABOUT_QUESTIONS.includes(event)))
    await mirrorQuestions(tx, conversationId, workspaceId, { events, data });
};

const ABOUT_QUESTIONS = ['needs_approval', 'approval_resolved', 'tool_call_end'];

/** What a delegate asks is told in the conversation at the top, too: there the person is. References stay where they name something. */
const mirrorQuestions = async (
  tx: BrokerTransaction,
  conversationId: string,
  workspaceId: string,
  { events, data }: { events: string[]; data: string[] },
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO "broker"."turn_notice" ("conversation_id", "workspace_id", "event", "data")
    SELECT c."root_id", ${workspaceId}, n."event", CASE n."event"
      WHEN 'needs_approval' THEN (n."data"::jsonb || jsonb_build_object('delegate', jsonb_build_object(
        'name', c."delegate_name", 'kind', c."kind", 'task', c."task", 'conversation_id', c."id")))::text
      WHEN 'tool_call_end' THEN (n."data"::jsonb || '{"refs": []}'::jsonb)::text
      ELSE n."data" END
    FROM unnest(${events}::text[], ${data}::text[]) WITH ORDINALITY AS n("event", "data", "at")
    JOIN "broker"."conversation" c ON c."id" = ${conversationId} AND c."root_id" IS NOT NULL
    WHERE n."event" IN ('needs_approval', 'approval_resolved') OR (n."event" = 'tool_call_end'
      AND EXISTS (SELECT 1 FROM "broker"."approval" a WHERE a."tool_call_id" = n."data"::jsonb ->> 'id'))
    ORDER BY n."at"`;
};

/**
 * For a statement that writes them in this order: the order of the numbers is the order of the stream.
 * @throws where one could not be published: then neither it nor the state it tells is written.
 */
export const noticeColumns = (notices: readonly TurnNotice[]): { events: string[]; data: string[] } => {
  const parsed = notices.map(parseTurnEvent);
  return { events: parsed.map(({ event }) => event), data: parsed.map(({ data }) => JSON.stringify(data)) };
};

export const createTurnNotices = (database: BrokerDatabase, bus: Bus): TurnNotices => {
  /** One id per row, so that it is in the stream once, whoever else finds the row and sends it too. */
  const send = (conversationId: string, workspaceId: string, id: bigint, notice: TurnNotice): Promise<number> =>
    publishTurnEvent(bus, workspaceId, conversationId, notice, `broker-notice-${conversationId}-${id}`);

  const flush = async (conversationId: string): Promise<void> => {
    for (;;) {
      const sent = await database.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtext(${`turn-notices:${conversationId}`}))::text`;
        const rows = await tx.turnNotice.findMany({ where: { conversationId }, orderBy: { id: 'asc' }, take: BATCH });
        for (const { id, workspaceId, event, data } of rows)
          await send(conversationId, workspaceId, id, { event, data: JSON.parse(data) } as TurnNotice);
        await tx.turnNotice.deleteMany({ where: { id: { in: rows.map((row) => row.id) } } });
        return rows.length;
      });
      if (sent < BATCH) return;
    }
  };
  return {
    flush,
    publish: async (conversationId, { workspaceId, rows }) => {
      for (const { id, notice } of rows) await send(conversationId, workspaceId, id, notice);
      // Nobody waits for this: a row that stays is sent again under its id, which the stream has.
      void database.turnNotice.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } }).catch(() => undefined);
    },
    flushAll: async () => {
      const waiting = await database.turnNotice.findMany({
        distinct: ['conversationId'],
        select: { conversationId: true },
        take: BATCH,
      });
      for (const { conversationId } of waiting) await flush(conversationId);
    },
  };
};
