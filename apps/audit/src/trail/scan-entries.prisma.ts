/** Reads a log from its stored bytes as fast as Postgres gives them: in index order, nothing but bytes and hash, some megabytes at a time. */
import type pg from 'pg';
import type { ScannedEntry } from './entries.port.ts';

const BATCH_BYTES = 4 * 1024 * 1024;
const MOST_ROWS = 4_000;

/** `to` exclusive. A hole is not filled: whoever reads sees it by the index. */
export async function* scanEntries(
  pool: pg.Pool,
  workspaceId: string,
  from: number,
  to: number,
  firstRows = 500,
): AsyncIterable<readonly ScannedEntry[]> {
  let next = from;
  let rows = firstRows;
  while (next < to) {
    const answer = await pool.query<[string, Buffer, Buffer]>({
      name: 'scan-entries',
      text: `SELECT "index", "leaf", "leaf_hash" FROM "entries" WHERE "workspace_id" = $1 AND "index" >= $2 AND "index" < $3 ORDER BY "index" LIMIT $4`,
      values: [workspaceId, next, to, rows],
      rowMode: 'array',
    });
    if (answer.rows.length === 0) return;
    let bytes = 0;
    const batch = answer.rows.map(([index, leaf, hash]): ScannedEntry => {
      bytes += leaf.length;
      return { index: Number(index), bytes: leaf, hash };
    });
    yield batch;
    next = (batch.at(-1) as ScannedEntry).index + 1;
    rows = Math.max(8, Math.min(MOST_ROWS, Math.floor((BATCH_BYTES * batch.length) / bytes)));
  }
}
