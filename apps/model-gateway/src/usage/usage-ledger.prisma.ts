/** The ledger in Postgres; it never estimates a count that no provider reported. */
import type { Database } from '../databases/database.prisma.ts';
import type { UsageLedger } from './usage-ledger.ts';

export const createUsageLedger = (database: Database, now: () => Date, newId: () => string): UsageLedger => ({
  async begin({ workspaceId, userId, conversationId, podId }, model) {
    const startedAt = now();
    const id = newId();
    await database.modelCall.create({
      data: { id, workspaceId, userId, conversationId, podId, model, day: startedAt, startedAt },
    });
    return id;
  },
  async end(id, end) {
    await database.modelCall.updateMany({
      where: { id, status: 'started' },
      data: {
        status: end.status,
        finishedAt: now(),
        ...(end.status === 'completed' && { inputTokens: end.usage.inputTokens, outputTokens: end.usage.outputTokens }),
        ...(end.status === 'failed' && { failure: end.failure }),
      },
    });
  },
  async listDaily(workspaceId, from, to) {
    const rows = await database.modelCall.groupBy({
      by: ['day', 'userId', 'model'],
      where: { workspaceId, startedAt: { gte: from, lt: to } },
      _sum: { inputTokens: true, outputTokens: true },
      _count: { _all: true },
      orderBy: [{ day: 'asc' }, { userId: 'asc' }, { model: 'asc' }],
    });
    return rows.map(({ day, userId, model, _sum, _count }) => ({
      day: day.toISOString().slice(0, 10),
      userId,
      model,
      inputTokens: _sum.inputTokens ?? 0,
      outputTokens: _sum.outputTokens ?? 0,
      requests: _count._all,
    }));
  },
});
