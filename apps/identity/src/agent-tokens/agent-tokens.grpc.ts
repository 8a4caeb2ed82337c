/** The four RPCs of agent tokens on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import type { createBindAgentToken } from './bind-agent-token.ts';
import type { createMintAgentToken } from './mint-agent-token.ts';
import type { createResolveAgentToken } from './resolve-agent-token.ts';
import type { createRevokeAgentToken } from './revoke-agent-token.ts';

type Methods = 'mintAgentToken' | 'bindAgentToken' | 'revokeAgentToken' | 'resolveAgentToken';

export const agentTokenHandlers = (use: {
  mintAgentToken: ReturnType<typeof createMintAgentToken>;
  bindAgentToken: ReturnType<typeof createBindAgentToken>;
  revokeAgentToken: ReturnType<typeof createRevokeAgentToken>;
  resolveAgentToken: ReturnType<typeof createResolveAgentToken>;
}): Pick<Handlers<typeof IdentityServiceService>, Methods> => ({
  mintAgentToken: ({ podId, ttlSeconds }, { principal }) => use.mintAgentToken(actorOf(principal), podId, ttlSeconds),
  bindAgentToken: ({ tokenId, ...binding }, { principal }) =>
    use.bindAgentToken(actorOf(principal), tokenId, {
      userId: binding.userId,
      workspaceId: binding.workspaceId,
      conversationId: binding.conversationId,
      rootConversationId: binding.rootConversationId,
    }),
  revokeAgentToken: async (request, { principal }) => ({
    revoked: await use.revokeAgentToken(actorOf(principal), request),
  }),
  resolveAgentToken: async (request) => {
    const { token, member } = await use.resolveAgentToken(request.token);
    return {
      tokenId: token.id,
      podId: token.podId,
      bound: token.binding !== undefined,
      userId: member?.person.id ?? '',
      userName: member?.person.name ?? '',
      workspaceId: member?.membership.workspace.id ?? '',
      workspaceSlug: member?.membership.workspace.slug ?? '',
      conversationId: token.binding?.conversationId ?? '',
      rootConversationId: token.binding?.rootConversationId || (token.binding?.conversationId ?? ''),
      role: member?.role ?? '',
      permissions: [...(member?.membership.permissions ?? [])],
      expiresAt: token.expiresAt,
    };
  },
});
