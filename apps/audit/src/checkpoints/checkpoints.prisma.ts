/** The checkpoints and the nodes under them in Postgres; append-only as the log is. */
import type { Database } from '../databases/database.prisma.ts';
import { HASH_BYTES, NODE_HEIGHT, packPeaks, TreeBuilder, type TreeNode } from '../merkle/merkle-tree.ts';
import type { Checkpoints, StoredCheckpoint } from './checkpoints.port.ts';

/** Stands for an entry that is gone: what is made with it proves nothing, and whoever checks it finds the place. */
const NO_HASH = new Uint8Array(HASH_BYTES);

export const createCheckpoints = (database: Database): Checkpoints => {
  const nodes: Checkpoints['nodes'] = async (workspaceId, height, from, to) => {
    if (to <= from) return [];
    const range = { gte: BigInt(from), lt: BigInt(to) };
    if (height === 0) {
      const rows = await database.entry.findMany({
        where: { workspaceId, index: range },
        orderBy: { index: 'asc' },
        select: { index: true, leafHash: true },
      });
      const hashes = new Map(rows.map(({ index, leafHash }) => [Number(index), leafHash]));
      if (rows.length < to - from)
        for (const [index, hash] of await keptHashes(database, workspaceId)) hashes.set(index, hash);
      return Array.from({ length: to - from }, (_, at) => hashes.get(from + at) ?? NO_HASH);
    }
    const rows = await database.node.findMany({
      where: { workspaceId, height, position: range },
      orderBy: { position: 'asc' },
    });
    if (rows.length === to - from) return rows.map(({ hash }) => hash);
    // A log that was signed before nodes were kept.
    const below = await nodes(workspaceId, height - NODE_HEIGHT, from * 2 ** NODE_HEIGHT, to * 2 ** NODE_HEIGHT);
    return Array.from({ length: to - from }, (_, at) => {
      const builder = new TreeBuilder();
      for (const hash of below.slice(at * 2 ** NODE_HEIGHT, (at + 1) * 2 ** NODE_HEIGHT)) builder.append(hash);
      return builder.peaks[0] as Uint8Array;
    });
  };

  return {
    nodes,

    async latest(workspaceId) {
      const row = await database.checkpoint.findFirst({
        where: { workspaceId },
        orderBy: [{ size: 'desc' }, { createdAt: 'desc' }],
      });
      return row ? toStored(row) : undefined;
    },

    async all(workspaceId) {
      const rows = await database.checkpoint.findMany({
        where: { workspaceId },
        orderBy: [{ size: 'asc' }, { createdAt: 'asc' }],
      });
      return rows.map(toStored);
    },

    async add({ workspaceId, keyId, note, state, nodes: made }) {
      const row = { workspaceId, keyId, size: BigInt(state.size), note, peaks: packPeaks(state) };
      const kept = made.map((node) => toRow(workspaceId, node));
      await database.$transaction([
        database.node.createMany({ data: kept, skipDuplicates: true }),
        database.checkpoint.createMany({ data: [row], skipDuplicates: true }),
      ]);
    },

    async addNodes(workspaceId, made) {
      await database.node.createMany({ data: made.map((node) => toRow(workspaceId, node)), skipDuplicates: true });
    },

    async logsBehind(keyId) {
      const rows = await database.$queryRaw<{ workspace_id: string }[]>`
        SELECT "workspace_id" FROM "logs" AS "l" WHERE "size" > COALESCE(
          (SELECT MAX("size") FROM "checkpoints" AS "c" WHERE "c"."workspace_id" = "l"."workspace_id" AND "key_id" = ${keyId}), 0)`;
      return rows.map((row) => row.workspace_id);
    },
  };
};

/** Of the entries before where the log begins, as the stub kept them. */
const keptHashes = async (database: Database, workspaceId: string): Promise<[number, Uint8Array<ArrayBuffer>][]> => {
  const stub = await database.stub.findFirst({ where: { workspaceId }, orderBy: { size: 'desc' } });
  if (!stub) return [];
  const count = stub.leafHashes.length / HASH_BYTES;
  return Array.from({ length: count }, (_, at) => [
    Number(stub.size) - count + at,
    stub.leafHashes.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  ]);
};

const toRow = (workspaceId: string, { height, position, hash }: TreeNode) => ({
  workspaceId,
  height,
  position: BigInt(position),
  hash: new Uint8Array(hash),
});

const toStored = ({ size, note, peaks }: { size: bigint; note: string; peaks: Uint8Array }): StoredCheckpoint => ({
  size: Number(size),
  note,
  peaks,
});
