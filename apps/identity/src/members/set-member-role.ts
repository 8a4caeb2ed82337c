/** Changes a member's role at once for every credential they hold; never leaves a workspace without an owner it had. */
import { Fault } from '@bravo/faults';
import { isRole, ROLES } from '@bravo/policy';
import { type Actor, actorName } from '../callers/actor.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { Member, MemberStore } from './member-store.ts';
import { requireAdmin } from './require-admin.ts';

export const createSetMemberRole =
  ({ members, invalidation }: { members: MemberStore; invalidation: Invalidation }) =>
  async (actor: Actor, workspaceId: string, userId: string, role: string): Promise<Member> => {
    if (!isRole(role)) {
      throw new Fault('invalid_argument', `"${role}" is no role. Use one of ${ROLES.join(', ')}.`, {
        meta: { field: 'role' },
      });
    }
    const ownRole = await requireAdmin(members, actor, workspaceId, 'change roles');
    const member = await members.findMember(workspaceId, userId);
    if (!member) throw new Fault('not_found', 'That person is no member of the workspace.');
    if (member.role === role) return { person: member.person, role };
    if ((member.role === 'owner' || role === 'owner') && ownRole !== 'owner') {
      throw new Fault('permission_denied', 'Only an owner may give or take the role owner.');
    }
    const outcome = await members.changeRole({
      workspaceId,
      userId,
      from: member.role,
      to: role,
      keepAnOwner: member.role === 'owner',
      actor: actorName(actor),
    });
    if (outcome === 'last_owner') {
      throw new Fault('conflict', 'They are the last owner: make someone else an owner first.');
    }
    if (outcome === 'moved')
      throw new Fault('conflict', 'The role was changed by someone else in the meantime. Look again.');
    invalidation.announce(workspaceId, { userId });
    return { person: member.person, role };
  };
