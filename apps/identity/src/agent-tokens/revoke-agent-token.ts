/** Ends one agent token or all of a conversation at once; asked again it ends nothing more and is no error. */
import { Fault } from '@bravo/faults';
import { type Actor, actorName } from '../callers/actor.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { AgentTokenStore } from './agent-token-store.ts';

export interface RevokeAgentTokenParts {
  readonly agentTokens: AgentTokenStore;
  readonly invalidation: Invalidation;
  readonly now: () => Date;
}

export const createRevokeAgentToken =
  ({ agentTokens, invalidation, now }: RevokeAgentTokenParts) =>
  async (actor: Actor, which: { tokenId: string; conversationId: string }): Promise<number> => {
    if ((which.tokenId === '') === (which.conversationId === '')) {
      throw new Fault('invalid_argument', 'Name exactly one of token_id and conversation_id.');
    }
    const selector = which.tokenId ? { id: which.tokenId } : { conversationId: which.conversationId };
    const revoked = await agentTokens.revoke(selector, now(), actorName(actor));
    for (const token of revoked) {
      const { workspaceId = '', userId } = token.binding ?? {};
      invalidation.announce(workspaceId, { tokenId: token.id, ...(userId ? { userId } : {}) });
    }
    return revoked.length;
  };
