/** People and their memberships as every use case of identity sees them; no database row and no wire shape. */
import { permissionsOfRole } from '@bravo/policy';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
}

export interface Workspace {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
}

export interface Membership {
  readonly workspace: Workspace;
  readonly role: string;
  readonly permissions: readonly string[];
}

export const membershipOf = (workspace: Workspace, role: string): Membership => ({
  workspace,
  role,
  permissions: permissionsOfRole(role),
});

export interface PeopleStore {
  listPeople(): Promise<Person[]>;
  findPersonByName(name: string): Promise<Person | undefined>;
  findPerson(id: string): Promise<Person | undefined>;
  findWorkspace(id: string): Promise<Workspace | undefined>;
  findWorkspaceBySlug(slug: string): Promise<Workspace | undefined>;
  /** Oldest membership first, so that "the first workspace" is stable. */
  listMemberships(userId: string): Promise<Membership[]>;
}
