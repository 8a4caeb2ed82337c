/** Binds a pod's token to one person's conversation, once and for ever; the same binding asked again is the same answer. */
import { Fault } from '@bravo/faults';
import { type Actor, actorName, requireWorkspace } from '../callers/actor.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { MemberStore } from '../members/member-store.ts';
import type { AgentTokenStore, Binding } from './agent-token-store.ts';

export interface BindAgentTokenParts {
  readonly agentTokens: AgentTokenStore;
  readonly members: MemberStore;
  readonly invalidation: Invalidation;
  readonly now: () => Date;
}

export const createBindAgentToken =
  ({ agentTokens, members, invalidation, now }: BindAgentTokenParts) =>
  async (actor: Actor, tokenId: string, binding: Binding): Promise<{ expiresAt: Date }> => {
    requireWorkspace(actor, binding.workspaceId);
    if (binding.conversationId === '') {
      throw new Fault('invalid_argument', 'conversation_id is empty.', { meta: { field: 'conversation_id' } });
    }
    const member = await members.findMember(binding.workspaceId, binding.userId);
    if (!member) throw new Fault('permission_denied', 'An agent token can only be bound to a member of the workspace.');
    const bound = await agentTokens.bind(tokenId, binding, now(), actorName(actor));
    const token = await agentTokens.findAgentToken(tokenId);
    if (!token) throw new Fault('not_found', 'There is no such agent token.');
    if (bound) {
      invalidation.announce(binding.workspaceId, { userId: binding.userId, tokenId });
    } else if (token.revokedAt || token.expiresAt <= now() || !sameBinding(token.binding, binding)) {
      throw new Fault('conflict', 'The agent token is bound, revoked or expired already; take another pod.');
    }
    return { expiresAt: token.expiresAt };
  };

const sameBinding = (a: Binding | undefined, b: Binding): boolean =>
  a?.userId === b.userId &&
  a.workspaceId === b.workspaceId &&
  a.conversationId === b.conversationId &&
  a.rootConversationId === b.rootConversationId;
