/** The members of the caller's own workspace; it never lists another one. */
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import type { Member, MemberStore } from './member-store.ts';

export const createListMembers =
  ({ members }: { members: MemberStore }) =>
  async (actor: Actor, workspaceId: string): Promise<Member[]> => {
    requireWorkspace(actor, workspaceId);
    return members.listMembers(workspaceId);
  };
