/** The keys of sealed content in Postgres; a trigger lets them be destroyed and nothing else. */
import type { Outbox } from '@bravo/events';
import type { Database } from '../databases/database.prisma.ts';
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
