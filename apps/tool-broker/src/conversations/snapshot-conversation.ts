/** Freezes the policy a conversation starts with; a configuration that cannot be read starts nothing. */
import { Fault } from '@bravo/faults';
import { canonicalDigest, type ConfigSnapshot, type Mode } from '@bravo/policy';
import type { AgentConfig, Identity } from '../access/agent.ts';
import { type ConversationStore, isOwnedBy } from './conversation.ts';

export interface SnapshotRequest {
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly mode: Mode;
}

/** @returns the policy version, the same for every repeat. @throws Fault not_found for a conversation of someone else. */
export const createSnapshotConversation =
  (identity: Identity, conversations: ConversationStore) =>
  async (request: SnapshotRequest): Promise<string> => {
    const { config } = await identity.agentConfig(request.workspaceId);
    const { policyVersion, owner } = await conversations.snapshot({
      id: request.conversationId,
      workspaceId: request.workspaceId,
      userId: request.userId,
      projectId: request.projectId,
      mode: request.mode,
      config: snapshotOf(config),
    });
    if (!isOwnedBy(owner, request)) throw new Fault('not_found', 'There is no such conversation.');
    return policyVersion;
  };

/** Equal configurations have equal versions, so an unchanged policy never turns a yes stale. */
export const snapshotOf = (config: AgentConfig): ConfigSnapshot => {
  const policy = {
    enabled: config.enabled,
    allowedTools: [...config.allowedTools],
    deniedTools: [...config.deniedTools],
    requireApproval: [...config.requireApproval],
    codeExecEnabled: config.codeExecEnabled,
  };
  return { ...policy, policyVersion: canonicalDigest(policy).slice(0, 32) };
};
