/** People, workspaces and memberships in Postgres; reads only, and never a credential. */
import type { Database } from '../databases/database.prisma.ts';
import { membershipOf, type PeopleStore, type Person, type Workspace } from './person.ts';

export const createPeopleStore = (database: Database): PeopleStore => ({
  listPeople: async () => (await database.person.findMany({ orderBy: { name: 'asc' } })).map(toPerson),
  findPersonByName: async (name) => optional(await database.person.findUnique({ where: { name } }), toPerson),
  findPerson: async (id) => optional(await database.person.findUnique({ where: { id } }), toPerson),
  findWorkspace: async (id) => optional(await database.workspace.findUnique({ where: { id } }), toWorkspace),
  findWorkspaceBySlug: async (slug) => optional(await database.workspace.findUnique({ where: { slug } }), toWorkspace),
  listMemberships: async (userId) => {
    const rows = await database.member.findMany({
      where: { userId },
      include: { workspace: true },
      orderBy: [{ createdAt: 'asc' }, { workspaceId: 'asc' }],
    });
    return rows.map((row) => membershipOf(toWorkspace(row.workspace), row.role));
  },
});

const optional = <Row, T>(row: Row | null, map: (row: Row) => T): T | undefined => (row ? map(row) : undefined);

export const toPerson = ({ id, name, displayName, email }: Person): Person => ({ id, name, displayName, email });

export const toWorkspace = ({ id, slug, name, plan }: Workspace): Workspace => ({ id, slug, name, plan });
