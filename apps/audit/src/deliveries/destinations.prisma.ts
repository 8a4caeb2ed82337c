/** Destinations in Postgres: what a person sets is told in the same transaction, and a position moves only from where it was read. */
import { type Outbox, userActor } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { type Database, lockLog, type Transaction } from '../databases/database.prisma.ts';
import type { Destination as Row } from '../generated/prisma/client.ts';
import type { DeliveryFormat, DestinationKind, Destinations, StoredDestination } from './destination.port.ts';
import { hostOf } from './read-destination.ts';

const MOST_OF_A_WORKSPACE = 10;

export const createDestinations = (database: Database, outbox: Outbox): Destinations => {
  const tell = (tx: Transaction, row: Row, change: 'added' | 'changed' | 'removed', by: string) =>
    outbox.appendEvent(tx, {
      type: 'agent.destination.changed',
      workspace: row.workspaceId,
      actor: by,
      data: {
        ...{ destination_id: row.destinationId, change, kind: row.kind as DestinationKind },
        ...{ host: hostOf(row.url), format: row.format, paused: row.paused, next_index: Number(row.nextIndex) },
      },
    });
  const requireFreeName = async (tx: Transaction, workspaceId: string, name: string, but = ''): Promise<void> => {
    const taken = await tx.destination.findFirst({
      where: { workspaceId, name, removedAt: null, NOT: { destinationId: but } },
    });
    if (taken) throw new Fault('conflict', 'There is a destination of that name already.', { meta: { field: 'name' } });
  };
  const where = (at: StoredDestination) => ({
    destinationId: at.destinationId,
    version: at.version,
    nextIndex: BigInt(at.nextIndex),
    removedAt: null,
  });
  return {
    async list(workspaceId) {
      const rows = await database.destination.findMany({
        where: { workspaceId, removedAt: null },
        orderBy: [{ createdAt: 'asc' }, { destinationId: 'asc' }],
      });
      return rows.map(toStored);
    },
    async active() {
      return (await database.destination.findMany({ where: { removedAt: null, paused: false } })).map(toStored);
    },
    async find(destinationId) {
      const row = await database.destination.findFirst({ where: { destinationId, removedAt: null } });
      return row ? toStored(row) : undefined;
    },
    add: (destination, nextIndex) =>
      database.$transaction(async (tx) => {
        await lockLog(tx, destination.workspaceId);
        await requireFreeName(tx, destination.workspaceId, destination.name);
        const others = await tx.destination.count({ where: { workspaceId: destination.workspaceId, removedAt: null } });
        if (others >= MOST_OF_A_WORKSPACE)
          throw new Fault('conflict', `A workspace has at most ${MOST_OF_A_WORKSPACE} destinations: remove one first.`);
        const row = await tx.destination.create({ data: { ...destination, nextIndex: BigInt(nextIndex) } });
        await tell(tx, row, 'added', userActor(destination.createdBy));
        return toStored(row);
      }),
    change: (workspaceId, destinationId, settings, nextIndex, by) =>
      database.$transaction(async (tx) => {
        await lockLog(tx, workspaceId);
        await requireFreeName(tx, workspaceId, settings.name, destinationId);
        const found = await tx.destination.findFirst({ where: { destinationId, workspaceId, removedAt: null } });
        if (!found) return undefined;
        const row = await tx.destination.update({
          where: { destinationId },
          data: {
            ...settings,
            version: { increment: 1 },
            tryAt: null,
            ...(nextIndex === undefined ? {} : { nextIndex: BigInt(nextIndex), pendingTo: null }),
          },
        });
        await tell(tx, row, 'changed', by);
        return toStored(row);
      }),
    remove: (workspaceId, destinationId, by) =>
      database.$transaction(async (tx) => {
        const found = await tx.destination.findFirst({ where: { destinationId, workspaceId, removedAt: null } });
        if (!found) return false;
        // Nobody needs its secret any more.
        const data = { removedAt: new Date(), sealedSecret: '', version: { increment: 1 } };
        await tell(tx, await tx.destination.update({ where: { destinationId }, data }), 'removed', by);
        return true;
      }),
    async begin(at, to) {
      const { count } = await database.destination.updateMany({ where: where(at), data: { pendingTo: BigInt(to) } });
      return count === 1;
    },
    async delivered(at, to) {
      const data = { nextIndex: BigInt(to), pendingTo: null, deliveredAt: new Date(), tryAt: null };
      const { count } = await database.destination.updateMany({
        where: where(at),
        data: { ...data, failingSince: null, failures: 0, problem: '' },
      });
      return count === 1;
    },
    async failed(at, problem, tryAt) {
      await database.destination.updateMany({
        where: where(at),
        data: { problem, tryAt, failures: { increment: 1 }, failingSince: at.failingSince ?? new Date() },
      });
    },
  };
};

const toStored = ({ kind, format, nextIndex, pendingTo, ...row }: Row): StoredDestination => ({
  ...row,
  kind: kind as DestinationKind,
  format: format as DeliveryFormat,
  nextIndex: Number(nextIndex),
  pendingTo: pendingTo === null ? undefined : Number(pendingTo),
  deliveredAt: row.deliveredAt ?? undefined,
  failingSince: row.failingSince ?? undefined,
  tryAt: row.tryAt ?? undefined,
});
