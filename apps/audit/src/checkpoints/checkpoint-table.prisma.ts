/** Checkpoints in a table of another role: whoever holds the log's own schema in their hands cannot change what is kept here. */
import type pg from 'pg';
import type { CheckpointSink } from './checkpoint-sink.port.ts';

/** `pool` connects as the role that may only add and read (`bravo_witness`). */
export const createCheckpointTable = (pool: pg.Pool): CheckpointSink => ({
  name: 'table',
  async publish({ workspaceId, size, note }) {
    await pool.query(
      'INSERT INTO "witness"."checkpoints" ("workspace_id", "size", "note") VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [workspaceId, size, note],
    );
    return '';
  },
});
