/** Whom a credential speaks for inside one workspace, as of now; a workspace they are not in does not exist for them. */
import { Fault } from '@bravo/faults';
import { credentialScopes, permissionsWithin } from '../api-tokens/scopes.ts';
import type { MemberStore } from '../members/member-store.ts';
import type { Membership, PeopleStore } from '../people/person.ts';
import type { AuthenticateCaller, AuthenticatedCaller } from './authenticate-caller.ts';

export interface ResolvedCaller extends AuthenticatedCaller {
  readonly membership: Membership;
  /** The role's permissions narrowed by the credential. */
  readonly permissions: readonly string[];
}

export interface ResolveCallerParts {
  readonly authenticate: AuthenticateCaller;
  readonly people: PeopleStore;
  readonly members: MemberStore;
}

export const createResolveCaller =
  ({ authenticate, people, members }: ResolveCallerParts) =>
  async (credential: string, workspaceSlug: string): Promise<ResolvedCaller> => {
    const caller = await authenticate(credential);
    const workspace = await people.findWorkspaceBySlug(workspaceSlug);
    const reachable = workspace && (caller.onlyWorkspaceId === undefined || caller.onlyWorkspaceId === workspace.id);
    const member = reachable ? await members.findMember(workspace.id, caller.person.id) : undefined;
    if (!member) throw new Fault('not_found', 'There is no such workspace.');
    return {
      ...caller,
      scopes: credentialScopes(caller.scopes),
      membership: member.membership,
      permissions: permissionsWithin(member.membership.permissions, caller.scopes),
    };
  };

export interface DescribedCaller extends AuthenticatedCaller {
  readonly memberships: readonly Membership[];
}

export const createDescribeCaller =
  ({ authenticate, people }: Pick<ResolveCallerParts, 'authenticate' | 'people'>) =>
  async (credential: string): Promise<DescribedCaller> => {
    const caller = await authenticate(credential);
    const all = await people.listMemberships(caller.person.id);
    const memberships = all.filter(
      ({ workspace }) => caller.onlyWorkspaceId === undefined || caller.onlyWorkspaceId === workspace.id,
    );
    return { ...caller, scopes: credentialScopes(caller.scopes), memberships };
  };
