/** Members at identity, which alone decides who may change whom. */
import { Fault } from '@bravo/faults';
import { type IdentityClient, toPerson } from '../callers/caller-directory.client.ts';
import { subjectOf } from '../callers/caller.ts';
import type { Members } from './members.ts';

export const createMembers = (identity: IdentityClient): Members => ({
  list: async (caller) => {
    const { workspace_id: workspaceId } = caller.membership;
    const { members } = await identity.listMembers({ workspaceId }, { subject: subjectOf(caller) });
    return members.map(({ person, role }) => ({ person: toPerson(person), role }));
  },
  setRole: async (caller, userId, role) => {
    const request = { workspaceId: caller.membership.workspace_id, userId, role };
    const { member } = await identity.setMemberRole(request, { subject: subjectOf(caller) });
    if (!member) throw new Fault('internal', 'Identity answered without the member.');
    return { person: toPerson(member.person), role: member.role };
  },
});
