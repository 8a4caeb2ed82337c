/** Sessions in Postgres, by hash. */
import type { Database } from '../databases/database.prisma.ts';
import type { SessionStore } from './session-store.ts';

export const createSessionStore = (database: Database): SessionStore => ({
  createSession: async (session) => {
    await database.session.create({ data: session });
  },
  deleteSession: async (tokenHash) => {
    const row = await database.session.findUnique({ where: { tokenHash } });
    if (!row) return undefined;
    await database.session.deleteMany({ where: { tokenHash } });
    return { userId: row.userId };
  },
  deleteExpired: async (before) => {
    await database.session.deleteMany({ where: { expiresAt: { lt: before } } });
  },
});
