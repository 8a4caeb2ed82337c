/** Parked messages in Postgres; tables that are only added to. */
import type { Outbox } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
import type { Rejection, Rejections } from './rejections.port.ts';

const WITH_LAST = { retries: { orderBy: { id: 'desc' }, take: 1 } } as const;

export const createRejections = (database: Database, outbox: Outbox): Rejections => ({
  async list(workspaceId, limit) {
    const rows = await database.rejection.findMany({
      where: { subject: { endsWith: `.${workspaceId}` } },
      orderBy: { id: 'desc' },
      take: limit,
      include: WITH_LAST,
    });
    return rows.map(toRejection);
  },

  async find(workspaceId, id) {
    const row = await database.rejection.findUnique({ where: { id: BigInt(id) }, include: WITH_LAST });
    return row?.subject.endsWith(`.${workspaceId}`) ? toRejection(row) : undefined;
  },

  async addRetry(workspaceId, id, outcome, by) {
    await database.$transaction(async (tx) => {
      await tx.rejectionRetry.create({ data: { rejectionId: BigInt(id), outcome, retriedBy: by } });
      const data = { rejection: id, outcome };
      await outbox.appendEvent(tx, { type: 'agent.rejection.retried', workspace: workspaceId, actor: by, data });
    });
  },

  countOpen: () =>
    database.rejection.count({ where: { retries: { none: { outcome: { in: ['recorded', 'known'] } } } } }),
});

interface Row {
  readonly id: bigint;
  readonly streamSequence: bigint;
  readonly subject: string;
  readonly bodyDigest: string;
  readonly reason: string;
  readonly recordedAt: Date;
  readonly body: string;
  readonly retries: readonly { readonly outcome: string }[];
}

const toRejection = ({ id, streamSequence, retries, ...row }: Row): Rejection => ({
  ...row,
  id: Number(id),
  streamSequence: Number(streamSequence),
  outcome: retries[0]?.outcome ?? '',
});
