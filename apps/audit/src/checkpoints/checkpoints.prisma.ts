/** The checkpoints in Postgres; append-only as the log is. */
import type { Database } from '../databases/database.prisma.ts';
import { packPeaks } from '../merkle/merkle-tree.ts';
import type { Checkpoints, StoredCheckpoint } from './checkpoints.port.ts';

export const createCheckpoints = (database: Database): Checkpoints => ({
  async latest(workspaceId) {
    const row = await database.checkpoint.findFirst({ where: { workspaceId }, orderBy: { size: 'desc' } });
    return row ? toStored(row) : undefined;
  },

  async all(workspaceId) {
    const rows = await database.checkpoint.findMany({ where: { workspaceId }, orderBy: { size: 'asc' } });
    return rows.map(toStored);
  },

  async add(workspaceId, note, state) {
    const row = { workspaceId, size: BigInt(state.size), note, peaks: packPeaks(state) };
    await database.checkpoint.createMany({ data: [row], skipDuplicates: true });
  },

  async logsBehind() {
    const rows = await database.$queryRaw<{ workspace_id: string }[]>`
      SELECT "workspace_id" FROM "logs" AS "l"
      WHERE "size" > COALESCE((SELECT MAX("size") FROM "checkpoints" AS "c" WHERE "c"."workspace_id" = "l"."workspace_id"), 0)`;
    return rows.map((row) => row.workspace_id);
  },
});

const toStored = ({ size, note, peaks }: { size: bigint; note: string; peaks: Uint8Array }): StoredCheckpoint => ({
  size: Number(size),
  note,
  peaks,
});
