/** Alerts in Postgres; append-only. */
import { type Outbox, serviceActor } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import type { Alert, Alerts } from './alerts.port.ts';

export const createAlerts = (database: Database, outbox: Outbox): Alerts => ({
  raise: (alert) =>
    database.$transaction(async (tx) => {
      const { count } = await tx.alert.createMany({ data: [{ ...alert }], skipDuplicates: true });
      // Of a workspace its people hear; what concerns the whole platform is the operator's, who watches the metric.
      if (count > 0 && alert.workspaceId !== '')
        await outbox.appendEvent(tx, {
          type: 'agent.trail.alerted',
          workspace: alert.workspaceId,
          actor: serviceActor('audit'),
          data: { kind: alert.kind, reason: alert.detail.slice(0, 2_000) },
        });
      return count > 0;
    }),

  async list(workspaceId, limit) {
    const rows = await database.alert.findMany({
      where: { workspaceId: { in: [workspaceId, ''] } },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map((row) => ({ ...row, id: Number(row.id), kind: row.kind as Alert['kind'] }));
  },
  async count() {
    const rows = await database.alert.groupBy({ by: ['kind'], _count: true });
    return rows.map(({ kind, _count }) => ({ kind, count: _count }));
  },
});
