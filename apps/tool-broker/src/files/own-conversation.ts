/** Whose files are asked for: a live conversation of that very person, with what they may do now. */
import { Fault } from '@bravo/faults';
import type { Permission } from '@bravo/policy';
import type { Identity } from '../access/agent.ts';
import type { PersonPrincipal } from '../access/person.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import type { OnBehalfOf } from '../sandbox/sandbox.ts';

export interface OwnerParts {
  readonly conversations: Pick<ConversationStore, 'find'>;
  readonly identity: Pick<Identity, 'resolveMember'>;
}

/** @throws Fault not_found, the same whether it is somebody else's or was never there; permission_denied without `needs`. */
export type FindOwner = (person: PersonPrincipal, conversationId: string, needs: Permission) => Promise<OnBehalfOf>;

export const createFindOwner =
  ({ conversations, identity }: OwnerParts): FindOwner =>
  async (person, conversationId, needs) => {
    const conversation = await conversations.find(conversationId);
    if (conversation === undefined || !isOwnedBy(conversation, person) || conversation.ended)
      throw new Fault('not_found', 'There is no such live conversation.');
    const { role, permissions } = await identity.resolveMember(person.workspaceId, person.userId);
    if (!permissions.includes(needs))
      throw new Fault('permission_denied', `Your role ${role} lacks the permission "${needs}".`);
    return { ...person, conversationId, podId: '', role, permissions };
  };
