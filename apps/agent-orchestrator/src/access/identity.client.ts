/** Identity over gRPC, always as the orchestrator itself; it turns answers into our words and hides no failure. */
import type { GrpcClient } from '@bravo/chassis';
import { Fault, isFault } from '@bravo/faults';
import type { IdentityServiceService } from '@bravo/proto/identity';
import type { Identity } from './identity.ts';

export const createIdentity = (client: GrpcClient<typeof IdentityServiceService>): Identity => {
  const inWorkspace = (workspaceId: string) => ({ subject: { userId: 'service:orchestrator', workspaceId } });
  return {
    featureEnabled: async (workspaceId, feature) => {
      const { features } = await client.resolveFeatures({ workspaceId }, inWorkspace(workspaceId));
      return features.some(({ name, enabled }) => name === feature && enabled);
    },
    agentConfig: async (workspaceId) => {
      const { config } = await client.getAgentConfig({ workspaceId }, inWorkspace(workspaceId));
      if (!config) throw new Fault('agent_disabled', 'The configuration of @bravo here cannot be read.');
      const { enabled, maxConcurrent, maxDelegates } = config;
      return { enabled, maxConcurrent, maxDelegates };
    },
    member: async (workspaceId, userId) => {
      try {
        const { membership } = await client.resolveMember({ workspaceId, userId }, inWorkspace(workspaceId));
        return membership && { role: membership.role, permissions: membership.permissions };
      } catch (error) {
        if (isFault(error) && error.code === 'not_found') return undefined;
        throw error;
      }
    },
    mintAgentToken: async (podId, ttlSeconds) => {
      const { tokenId, token, expiresAt } = await client.mintAgentToken({ podId, ttlSeconds });
      if (!expiresAt) throw new Fault('internal', 'Identity minted a token without an end.');
      return { tokenId, token, expiresAt };
    },
    bindAgentToken: async (tokenId, to) => {
      const { expiresAt } = await client.bindAgentToken(
        { tokenId, ...to, rootConversationId: to.rootConversationId ?? '' },
        inWorkspace(to.workspaceId),
      );
      if (!expiresAt) throw new Fault('internal', 'Identity bound a token without an end.');
      return expiresAt;
    },
    revokeAgentToken: async (tokenId) => void (await client.revokeAgentToken({ tokenId, conversationId: '' })),
    eraseConversation: async (workspaceId, conversationId) =>
      void (await client.eraseConversation({ workspaceId, conversationId }, inWorkspace(workspaceId))),
    revokeConversationTokens: async (conversationId) =>
      void (await client.revokeAgentToken({ tokenId: '', conversationId })),
  };
};
