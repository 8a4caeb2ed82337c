/** A member's role and permissions as they are at this moment; someone who is no member does not exist here. */
import { Fault } from '@bravo/faults';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import type { MemberStore, ResolvedMember } from './member-store.ts';

export const createResolveMember =
  ({ members }: { members: MemberStore }) =>
  async (actor: Actor, workspaceId: string, userId: string): Promise<ResolvedMember> => {
    requireWorkspace(actor, workspaceId);
    const member = await members.findMember(workspaceId, userId);
    if (!member) throw new Fault('not_found', 'That person is no member of the workspace.');
    return member;
  };
