/** Leases in Postgres: one statement per step, and the database's clock for all runners. */
import { Fault } from '@bravo/faults';
import type { Database } from '../executions/executions.prisma.ts';
import type { Lease, LeaseKey, LeaseStore } from './lease-store.port.ts';

const seconds = (ms: number): number => ms / 1_000;

/** @param holder names this one process. */
export const createLeaseStore = (database: Database, holder: string): LeaseStore => {
  const head = async ({ workspaceId, conversationId }: LeaseKey): Promise<string | undefined> => {
    const row = await database.workspaceLease.findUnique({ where: { conversationId } });
    if (row !== null && row.workspaceId !== workspaceId) throw new Fault('not_found', 'There is no such conversation.');
    return row?.head;
  };
  const mine = ({ workspaceId, conversationId }: LeaseKey, { fence }: Lease) => ({
    conversationId,
    workspaceId,
    holder,
    fence,
  });
  return {
    head,
    async take(key, ttlMs, first) {
      const taken = await database.$queryRaw<Lease[]>`
        INSERT INTO workspace_leases AS lease (conversation_id, workspace_id, holder, fence, expires_at, head)
        VALUES (${key.conversationId}, ${key.workspaceId}, ${holder}, 1, now() + make_interval(secs => ${seconds(ttlMs)}), ${first})
        ON CONFLICT (conversation_id) DO UPDATE
          SET holder = EXCLUDED.holder, fence = lease.fence + 1, expires_at = EXCLUDED.expires_at
          WHERE lease.workspace_id = EXCLUDED.workspace_id
            AND (lease.holder IN ('', EXCLUDED.holder) OR lease.expires_at < now())
        RETURNING fence, head`;
      if (taken[0] === undefined) await head(key);
      return taken[0];
    },
    async renew(key, { fence }, ttlMs) {
      const count = await database.$executeRaw`
        UPDATE workspace_leases SET expires_at = now() + make_interval(secs => ${seconds(ttlMs)})
        WHERE conversation_id = ${key.conversationId} AND workspace_id = ${key.workspaceId}
          AND holder = ${holder} AND fence = ${fence}`;
      return count === 1;
    },
    async commit(key, lease, next) {
      const { count } = await database.workspaceLease.updateMany({ where: mine(key, lease), data: { head: next } });
      return count === 1;
    },
    async release(key, lease) {
      await database.workspaceLease.updateMany({ where: mine(key, lease), data: { holder: '' } });
    },
  };
};
