/** Alerts in Postgres; append-only. */
import type { Database } from '../databases/database.prisma.ts';
import type { Alert, Alerts } from './alerts.port.ts';

export const createAlerts = (database: Database): Alerts => ({
  async raise(alert) {
    const { count } = await database.alert.createMany({ data: [{ ...alert }], skipDuplicates: true });
    return count > 0;
  },
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
