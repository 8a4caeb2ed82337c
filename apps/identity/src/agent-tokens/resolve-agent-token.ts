/** Whom an agent token speaks for, with that person's role as it is now; anything but a live token of a present member is refused. */
import { Fault } from '@bravo/faults';
import { credentialKind, hashCredential } from '../credentials/credential.ts';
import type { MemberStore, ResolvedMember } from '../members/member-store.ts';
import type { AgentToken, AgentTokenStore } from './agent-token-store.ts';

export interface ResolvedAgentToken {
  readonly token: AgentToken;
  /** Undefined for a warm pod's token. */
  readonly member: ResolvedMember | undefined;
}

export interface ResolveAgentTokenParts {
  readonly agentTokens: AgentTokenStore;
  readonly members: MemberStore;
  readonly now: () => Date;
}

export const createResolveAgentToken =
  ({ agentTokens, members, now }: ResolveAgentTokenParts) =>
  async (credential: string): Promise<ResolvedAgentToken> => {
    const token =
      credentialKind(credential) === 'agent_token'
        ? await agentTokens.findByHash(hashCredential(credential))
        : undefined;
    if (!token || token.revokedAt || token.expiresAt <= now()) {
      throw new Fault('unauthenticated', 'The agent token is unknown, expired or revoked.');
    }
    if (!token.binding) return { token, member: undefined };
    const member = await members.findMember(token.binding.workspaceId, token.binding.userId);
    if (!member)
      throw new Fault(
        'unauthenticated',
        'The agent token speaks for someone who is no member of the workspace any more.',
      );
    return { token, member };
  };
