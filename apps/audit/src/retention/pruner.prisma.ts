/** Calls the one function through which entries go, as a role that can do nothing else; what it refuses stays. */
import { serviceActor, type Outbox } from '@bravo/events';
import type pg from 'pg';
import type { Pruner } from './retention.port.ts';

export const createPruner = (pool: pg.Pool, outbox: Pick<Outbox, 'toRow'>): Pruner => ({
  async prune(workspaceId, { size, note, peaks, leafHashes }, { first, before }) {
    const told = outbox.toRow({
      type: 'agent.trail.pruned',
      workspace: workspaceId,
      actor: serviceActor('audit'),
      data: { first, size, before: before.toISOString() },
    });
    const { rows } = await pool.query<{ removed: string }>(
      'SELECT audit.prune_entries($1, $2, $3, $4, $5, $6, $7, $8) AS removed',
      [workspaceId, size, note, Buffer.from(peaks), Buffer.from(leafHashes), told.eventId, told.subject, told.body],
    );
    return Number(rows[0]?.removed ?? 0);
  },
});
