/** The keys of sealed content in Postgres; a trigger lets them be destroyed and nothing else. */
import type { Outbox } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { type Database, lockLog } from '../databases/database.prisma.ts';
import { holdOver } from '../retention/retention.prisma.ts';
import type { PersonKeys } from './person-keys.port.ts';

export const createPersonKeys = (database: Database, outbox: Outbox): PersonKeys => ({
  async current(workspaceId, userId, youngerThan) {
    const row = await database.personKey.findFirst({
      where: { workspaceId, userId, erasedAt: null, createdAt: { gt: youngerThan } },
      orderBy: { createdAt: 'desc' },
    });
    return row ? { keyId: row.keyId, publicJwk: row.publicJwk } : undefined;
  },

  async add(workspaceId, userId, { keyId, publicJwk, wrappedKey }) {
    await database.personKey.create({ data: { keyId, workspaceId, userId, publicJwk, wrappedKey } });
  },

  async wrapped(workspaceId, keyId) {
    const row = await database.personKey.findUnique({ where: { keyId } });
    if (!row || row.workspaceId !== workspaceId) return undefined;
    return row.wrappedKey === null ? 'erased' : { wrappedKey: row.wrappedKey, userId: row.userId };
  },

  erase: (workspaceId, userId, { actor, reason }) =>
    database.$transaction(async (tx) => {
      await lockLog(tx, workspaceId);
      const hold = await holdOver(tx, workspaceId, userId);
      if (hold)
        throw new Fault(
          'conflict',
          `The legal hold ${hold} keeps what was done for that person. Lift it first, or erase later.`,
        );
      const { count } = await tx.personKey.updateMany({
        where: { workspaceId, userId, erasedAt: null },
        data: { wrappedKey: null, erasedAt: new Date() },
      });
      await outbox.appendEvent(tx, {
        type: 'agent.person.erased',
        workspace: workspaceId,
        actor,
        data: { user_id: userId, keys: count, reason },
      });
      return count;
    }),
});
