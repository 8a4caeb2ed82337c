/** How far destinations are behind, asked of Postgres in one statement. */
import type { Database } from '../databases/database.prisma.ts';
import type { DeliveryLag } from './delivery-lag.port.ts';

export const createDeliveryLag = (database: Database) => async (): Promise<DeliveryLag> => {
  const [row] = await database.$queryRaw<
    { entries: bigint; seconds: number; failing_seconds: number; failing: bigint }[]
  >`
    SELECT COALESCE(MAX(GREATEST("signed"."size" - "d"."next_index", 0)), 0)::bigint AS "entries",
      COALESCE(MAX(EXTRACT(EPOCH FROM now() - "e"."recorded_at")) FILTER (WHERE "e"."type" NOT LIKE 'agent.egress.%'), 0)::float8 AS "seconds",
      COALESCE(MAX(EXTRACT(EPOCH FROM now() - "d"."failing_since")), 0)::float8 AS "failing_seconds",
      COUNT(*) FILTER (WHERE "d"."failing_since" IS NOT NULL) AS "failing"
    FROM "destinations" AS "d"
    LEFT JOIN LATERAL (SELECT MAX("size") AS "size" FROM "checkpoints" AS "c" WHERE "c"."workspace_id" = "d"."workspace_id") AS "signed" ON true
    LEFT JOIN "entries" AS "e" ON "e"."workspace_id" = "d"."workspace_id" AND "e"."index" = "d"."next_index"
    WHERE "d"."removed_at" IS NULL AND NOT "d"."paused"`;
  return {
    entries: Number(row?.entries ?? 0),
    seconds: Math.max(0, row?.seconds ?? 0),
    failingSeconds: Math.max(0, row?.failing_seconds ?? 0),
    failing: Number(row?.failing ?? 0),
  };
};
