/** Identity over gRPC. It asks as the service itself and never turns a failed answer into a permissive one. */
import { createHash } from 'node:crypto';
import { BriefCache, createCredentialLookups, type GrpcClient } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { isPermission } from '@bravo/policy';
import type { IdentityServiceService } from '@bravo/proto/identity';
import type { StoredLayer } from '../rules/stored-layers.ts';
import type { Agent, AgentConfig, Identity } from './agent.ts';

export type IdentityGrpc = GrpcClient<typeof IdentityServiceService>;

const THREE = ['platform', 'workspace', 'user'] as const satisfies StoredLayer['layer'][];

/** `forget` drops what was remembered, when identity says that something changed. */
export const createIdentity = (client: IdentityGrpc): Identity & { forget(): void } => {
  const agents = new BriefCache<Agent>();
  const lookups = createCredentialLookups();
  const features = new BriefCache<Readonly<Record<string, boolean>>>();
  const agentConfigs = new BriefCache<{ config: AgentConfig; version: number }>();
  const settings = new BriefCache<readonly StoredLayer[]>();
  const conversationSettings = new BriefCache<StoredLayer>();

  const readAgent = async (token: string): Promise<Agent> => {
    const found = await client.resolveAgentToken({ token });
    const expiresAt = found.expiresAt?.getTime() ?? 0;
    if (!(expiresAt > Date.now())) throw new Fault('unauthenticated', 'The agent token has expired.');
    const common = { tokenId: found.tokenId, podId: found.podId, expiresAt };
    if (!found.bound) return { bound: false, ...common };
    if (!found.userId || !found.workspaceId || !found.conversationId) {
      throw new Fault('unauthenticated', 'The agent token is bound to nobody.');
    }
    return {
      bound: true,
      ...common,
      userId: found.userId,
      userName: found.userName,
      workspaceId: found.workspaceId,
      workspaceSlug: found.workspaceSlug,
      conversationId: found.conversationId,
      role: found.role,
      permissions: found.permissions.filter(isPermission),
    };
  };
  const readFeatures = async (workspaceId: string): Promise<Readonly<Record<string, boolean>>> => {
    const answer = await client.resolveFeatures({ workspaceId });
    return Object.fromEntries(
      answer.features.map((feature) => [feature.name, feature.enabled && feature.decidedBy !== 'unreadable']),
    );
  };
  const readAgentConfig = async (workspaceId: string): Promise<{ config: AgentConfig; version: number }> => {
    const { config, version } = await client.getAgentConfig({ workspaceId });
    if (config === undefined) throw new Fault('unavailable', 'Identity gave no agent configuration.');
    const read: AgentConfig = { ...config };
    return { config: read, version };
  };
  const readSettings = async (workspaceId: string, userId: string): Promise<readonly StoredLayer[]> => {
    const { layers } = await client.listSettings({ workspaceId, userId });
    return THREE.map((layer) => {
      const found = layers.find((each) => each.layer === layer);
      // A layer that is not told is none that holds nothing.
      if (found === undefined) throw new Fault('unavailable', `Identity gave no settings of the layer ${layer}.`);
      return { layer, version: found.version, text: found.documentJson };
    });
  };

  const readConversationSettings = async (
    workspaceId: string,
    userId: string,
    conversationId: string,
  ): Promise<StoredLayer> => {
    const layer = 'conversation';
    const { documentJson, version } = await client.getSettings({ workspaceId, layer, userId, conversationId });
    return { layer, version, text: documentJson };
  };

  return {
    forget: () => {
      for (const cache of [agents, features, agentConfigs, settings, conversationSettings]) cache.invalidate();
    },
    resolveAgentToken: async (token) => {
      const hash = createHash('sha256').update(token).digest('hex');
      const agent = await agents.get(hash, () => lookups.look(hash, () => readAgent(token)));
      if (agent.expiresAt <= Date.now()) throw new Fault('unauthenticated', 'The agent token has expired.');
      return agent;
    },
    resolveMember: async (workspaceId, userId) => {
      const { membership } = await client.resolveMember({ workspaceId, userId });
      if (membership === undefined) throw new Fault('not_found', 'The person is no member of the workspace.');
      return { role: membership.role, permissions: membership.permissions.filter(isPermission) };
    },
    // Asked each time: what was deleted holds no longer.
    kept: async ({ workspaceId, userId }, kind, name) =>
      (await client.listDefinitions({ workspaceId, userId, kind, name })).definitions,
    features: (workspaceId) => features.get(workspaceId, () => readFeatures(workspaceId)),
    agentConfig: (workspaceId) => agentConfigs.get(workspaceId, () => readAgentConfig(workspaceId)),
    settings: (workspaceId, userId) =>
      settings.get(JSON.stringify([workspaceId, userId]), () => readSettings(workspaceId, userId)),
    conversationSettings: (workspaceId, userId, conversationId) =>
      conversationSettings.get(JSON.stringify([workspaceId, userId, conversationId]), () =>
        readConversationSettings(workspaceId, userId, conversationId),
      ),
  };
};
