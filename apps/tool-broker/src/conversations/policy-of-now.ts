/** The policy a conversation that begins now starts with: the workspace's configuration and the three stored settings layers, under one version. Nothing is left out of it that could not be read. */
import { canonicalDigest, type ConfigSnapshot } from '@bravo/policy';
import type { AgentConfig, Identity } from '../access/agent.ts';
import type { StoredLayer } from '../rules/stored-layers.ts';

export interface Policy {
  readonly config: ConfigSnapshot;
  readonly settings: readonly StoredLayer[];
}

/** @throws Fault where configuration or settings cannot be read: then nothing begins. */
export const policyOfNow = async (
  identity: Pick<Identity, 'agentConfig' | 'settings'>,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Policy> => {
  const [{ config }, settings] = await Promise.all([
    identity.agentConfig(workspaceId),
    identity.settings(workspaceId, userId),
  ]);
  return { config: snapshotOf(config, settings), settings };
};

/** Equal configurations and settings have equal versions, so an unchanged policy never turns a yes stale. */
const snapshotOf = (config: AgentConfig, settings: readonly StoredLayer[]): ConfigSnapshot => {
  const policy = {
    enabled: config.enabled,
    allowedTools: [...config.allowedTools],
    deniedTools: [...config.deniedTools],
    requireApproval: [...config.requireApproval],
    codeExecEnabled: config.codeExecEnabled,
  };
  const versioned = { ...policy, settings: settings.map(({ layer, version, text }) => ({ layer, version, text })) };
  return { ...policy, policyVersion: canonicalDigest(versioned).slice(0, 32) };
};
