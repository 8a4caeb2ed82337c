/** Finds delegates with nothing left to do: no turn of theirs runs, waits or ends just now, and none of their own is at work. */
import type { Database } from '../databases/database.prisma.ts';
import type { DelegateOutcome } from './delegate.ts';
import type { RestingDelegate } from './delegate-store.ts';

interface Row {
  conversationId: string;
  workspaceId: string;
  userId: string;
  parentId: string;
  rootId: string;
  name: string;
  kind: string;
  task: string;
  cancelled: boolean;
  silent: boolean;
  status: string;
  errorDetail: string;
  report: string;
}

export const restingDelegates = async (database: Database, limit: number): Promise<RestingDelegate[]> => {
  const rows = await database.$queryRaw<Row[]>`
    SELECT d."conversation_id" AS "conversationId", c."workspace_id" AS "workspaceId", c."user_id" AS "userId",
      d."parent_id" AS "parentId", d."root_id" AS "rootId", d."name", d."kind", d."task",
      d."cancelled_at" IS NOT NULL AS "cancelled", d."silent", t."status", t."error_detail" AS "errorDetail",
      coalesce(m."content", '') AS "report"
    FROM "delegates" d JOIN "conversations" c ON c."id" = d."conversation_id"
    JOIN LATERAL (SELECT * FROM "turns" WHERE "conversation_id" = d."conversation_id" ORDER BY "seq" DESC LIMIT 1) t ON true
    LEFT JOIN "messages" m ON m."id" = t."assistant_message_id"
    WHERE d."settled_at" IS NULL AND t."terminal_published_at" IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM "turns" o WHERE o."conversation_id" = d."conversation_id" AND o."status" IN ('queued', 'running'))
      AND NOT EXISTS (SELECT 1 FROM "delegates" own WHERE own."parent_id" = d."conversation_id" AND own."settled_at" IS NULL)
    ORDER BY d."created_at" LIMIT ${limit}::int`;
  return rows.map(({ status, ...row }) => ({
    ...row,
    outcome: row.cancelled ? 'cancelled' : (status as DelegateOutcome),
  }));
};
