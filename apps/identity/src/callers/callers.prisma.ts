/** Credentials by hash, from Postgres. */
import type { Database } from '../databases/database.prisma.ts';
import { toPerson } from '../people/people.prisma.ts';
import type { CallerStore } from './caller-store.ts';

export const createCallerStore = (database: Database): CallerStore => ({
  findSession: async (tokenHash) => {
    const row = await database.session.findUnique({ where: { tokenHash }, include: { person: true } });
    return row ? { person: toPerson(row.person), expiresAt: row.expiresAt } : undefined;
  },
  findApiToken: async (tokenHash) => {
    const row = await database.apiToken.findUnique({ where: { tokenHash }, include: { person: true } });
    if (!row) return undefined;
    const { id, workspaceId, scopes, expiresAt, revokedAt } = row;
    return { id, person: toPerson(row.person), workspaceId, scopes, expiresAt, revokedAt: revokedAt ?? undefined };
  },
});
