/** Lets a person change their workspace only while they are owner or admin of it now, whatever an older claim says. */
import { Fault } from '@bravo/faults';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import type { MemberStore } from './member-store.ts';

/** API tokens need this scope on top of the role; a session has it. */
export const CONFIGURE_WORKSPACE = 'workspace:configure';

/** @returns the role, `owner` or `admin`. */
export const requireAdmin = async (
  members: MemberStore,
  actor: Actor,
  workspaceId: string,
  what: string,
): Promise<string> => {
  requireWorkspace(actor, workspaceId);
  const member = await members.findMember(workspaceId, actor.userId);
  if (!member) throw new Fault('not_found', 'There is no such workspace.');
  if (member.role !== 'owner' && member.role !== 'admin') {
    throw new Fault(
      'permission_denied',
      `Only an owner or admin of the workspace may ${what}; your role is ${member.role}.`,
    );
  }
  if (!actor.permissions.includes(CONFIGURE_WORKSPACE)) {
    throw new Fault('permission_denied', `The API token may not ${what}: it lacks the scope ${CONFIGURE_WORKSPACE}.`);
  }
  return member.role;
};
