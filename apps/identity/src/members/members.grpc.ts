/** ListMembers, SetMemberRole and ResolveMember on the wire. */
import type { Handlers } from '@bravo/chassis';
import type * as proto from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import { toProtoMembership, toProtoPerson } from '../people/people-codec.grpc.ts';
import type { createListMembers } from './list-members.ts';
import type { Member } from './member-store.ts';
import type { createResolveMember } from './resolve-member.ts';
import type { createSetMemberRole } from './set-member-role.ts';

export const memberHandlers = (use: {
  listMembers: ReturnType<typeof createListMembers>;
  setMemberRole: ReturnType<typeof createSetMemberRole>;
  resolveMember: ReturnType<typeof createResolveMember>;
}): Pick<Handlers<typeof proto.IdentityServiceService>, 'listMembers' | 'setMemberRole' | 'resolveMember'> => ({
  listMembers: async ({ workspaceId }, { principal }) => ({
    members: (await use.listMembers(actorOf(principal), workspaceId)).map(toProtoMember),
  }),
  setMemberRole: async ({ workspaceId, userId, role }, { principal }) => ({
    member: toProtoMember(await use.setMemberRole(actorOf(principal), workspaceId, userId, role)),
  }),
  resolveMember: async ({ workspaceId, userId }, { principal }) => {
    const { person, membership } = await use.resolveMember(actorOf(principal), workspaceId, userId);
    return { person: toProtoPerson(person), membership: toProtoMembership(membership) };
  },
});

const toProtoMember = ({ person, role }: Member): proto.Member => ({ person: toProtoPerson(person), role });
