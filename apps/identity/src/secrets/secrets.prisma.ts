/** Sealed secrets in Postgres. */
import type { Database } from '../databases/database.prisma.ts';
import type { SecretStore } from './secret-store.ts';

export const createSecretStore = (database: Database): SecretStore => ({
  putSecret: async ({ workspaceId, name, sealed, updatedBy }) => {
    const data = { sealed, updatedBy, updatedAt: new Date() };
    await database.secret.upsert({
      where: { workspaceId_name: { workspaceId, name } },
      create: { workspaceId, name, ...data },
      update: data,
    });
  },
  listNames: async (workspaceId) =>
    (await database.secret.findMany({ where: { workspaceId }, select: { name: true }, orderBy: { name: 'asc' } })).map(
      ({ name }) => name,
    ),
  findSealed: async (workspaceId, name) =>
    (await database.secret.findUnique({ where: { workspaceId_name: { workspaceId, name } } }))?.sealed,
});
