/** Which checkpoint each place outside has taken; append-only. */
import type { Database } from '../databases/database.prisma.ts';
import type { Deliveries } from './checkpoint-sink.port.ts';

export const createDeliveries = (database: Database): Deliveries => ({
  async pending(sink) {
    const rows = await database.$queryRaw<{ workspace_id: string; size: bigint; note: string; before: bigint }[]>`
      SELECT DISTINCT ON ("workspace_id") * FROM (
        SELECT "c"."workspace_id", "c"."size", "c"."note", "c"."created_at", COALESCE(
          (SELECT MAX("d"."size") FROM "deliveries" AS "d" WHERE "d"."workspace_id" = "c"."workspace_id" AND "d"."sink" = ${sink}), 0) AS "before"
        FROM "checkpoints" AS "c") AS "open"
      WHERE "size" > "before" ORDER BY "workspace_id", "size" DESC, "created_at" DESC`;
    return rows.map(({ workspace_id, size, note, before }) => ({
      workspaceId: workspace_id,
      size: Number(size),
      note,
      before: Number(before),
    }));
  },

  async add(sink, { workspaceId, size }, answer) {
    await database.delivery.createMany({
      data: [{ sink, workspaceId, size: BigInt(size), answer }],
      skipDuplicates: true,
    });
  },

  async answers(workspaceId, size) {
    const rows = await database.delivery.findMany({ where: { workspaceId, size: BigInt(size), answer: { not: '' } } });
    return rows.map(({ answer }) => answer);
  },
});
