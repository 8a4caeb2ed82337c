/** What members' use cases need of a store; a role changes only through a compare-and-set, so that two admins cannot undo each other unseen. */
import type { Membership, Person } from '../people/person.ts';

export interface Member {
  readonly person: Person;
  readonly role: string;
}

export interface ResolvedMember {
  readonly person: Person;
  readonly membership: Membership;
  readonly role: string;
}

export interface MemberStore {
  /** By person's name. */
  listMembers(workspaceId: string): Promise<Member[]>;
  findMember(workspaceId: string, userId: string): Promise<ResolvedMember | undefined>;
  /**
   * Sets the role while it is still `from`. With `keepAnOwner` it changes nothing when no other owner would be left.
   * @returns what stood in the way, or `changed`.
   */
  changeRole(change: {
    workspaceId: string;
    userId: string;
    from: string;
    to: string;
    keepAnOwner: boolean;
    /** Named in the event. */
    actor: string;
  }): Promise<'changed' | 'moved' | 'last_owner'>;
}
