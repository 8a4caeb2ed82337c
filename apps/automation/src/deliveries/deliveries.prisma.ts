/** What is to be sent, in Postgres. Rows are held while they are sent, so a process that dies gives them back. */
import type { Database } from '../databases/database.prisma.ts';
import type { Deliveries } from './send-due.ts';

const TRANSACTION = { maxWait: 10_000, timeout: 60_000 };

interface DueRow {
  readonly notification_id: bigint;
  readonly tries: number;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly text: string;
  readonly conversation_id: string;
  readonly event_id: string;
  readonly kind: string;
  readonly time: Date;
}

export const createDeliveries = (database: Database): Deliveries & { countOpen(): Promise<number> } => ({
  takeDue: (channel, most, send) =>
    database.$transaction(async (tx) => {
      const [first] = await tx.$queryRaw<{ workspace_id: string; user_id: string }[]>`
        SELECT "n"."workspace_id", "n"."user_id" FROM "deliveries" AS "d" JOIN "notifications" AS "n" ON "n"."id" = "d"."notification_id"
        WHERE "d"."state" = 'pending' AND "d"."channel" = ${channel} AND "d"."due_at" <= now()
        ORDER BY "d"."due_at" LIMIT 1 FOR UPDATE OF "d" SKIP LOCKED`;
      if (!first) return false;
      const rows = await tx.$queryRaw<DueRow[]>`
        SELECT "d"."notification_id", "d"."tries", "n"."workspace_id", "n"."user_id", "n"."text", "n"."conversation_id", "n"."event_id", "n"."kind", "n"."time"
        FROM "deliveries" AS "d" JOIN "notifications" AS "n" ON "n"."id" = "d"."notification_id"
        WHERE "d"."state" = 'pending' AND "d"."channel" = ${channel} AND "d"."due_at" <= now()
          AND "n"."workspace_id" = ${first.workspace_id} AND "n"."user_id" = ${first.user_id}
        ORDER BY "n"."id" LIMIT ${most} FOR UPDATE OF "d" SKIP LOCKED`;
      const verdict = await send({
        workspaceId: first.workspace_id,
        userId: first.user_id,
        tries: Math.max(...rows.map(({ tries }) => tries)),
        items: rows.map((row) => ({
          notificationId: row.notification_id,
          text: row.text,
          conversationId: row.conversation_id,
          ...{ eventId: row.event_id, kind: row.kind, time: row.time },
        })),
      });
      await tx.delivery.updateMany({
        where: { channel, notificationId: { in: rows.map((row) => row.notification_id) } },
        data: {
          state: verdict.state,
          tries: { increment: 1 },
          problem: verdict.state === 'sent' ? '' : verdict.problem,
          ...(verdict.state === 'pending' ? { dueAt: new Date(Date.now() + verdict.afterMs) } : {}),
        },
      });
      return true;
    }, TRANSACTION),

  countOpen: () => database.delivery.count({ where: { state: 'pending', dueAt: { lte: new Date() } } }),
});
