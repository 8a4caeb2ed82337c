/** People and memberships in the words of the contract. */
import type * as proto from '@bravo/proto/identity';
import type { Membership, Person } from './person.ts';

export const toProtoPerson = ({ id, name, displayName, email }: Person): proto.Person => ({
  id,
  name,
  displayName,
  email,
});

export const toProtoMembership = ({ workspace, role, permissions }: Membership): proto.Membership => ({
  workspaceId: workspace.id,
  workspaceSlug: workspace.slug,
  workspaceName: workspace.name,
  role,
  permissions: [...permissions],
});
