/** Agent configurations at identity. */
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/identity';
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { subjectOf } from '../callers/caller.ts';
import type { AgentConfig } from './agent-config-routes.ts';
import type { AgentConfigStore, VersionedConfig } from './agent-config-store.ts';

export const createAgentConfigStore = (identity: IdentityClient): AgentConfigStore => ({
  read: async (caller) => {
    const { workspace_id: workspaceId } = caller.membership;
    return toVersioned(await identity.getAgentConfig({ workspaceId }, { subject: subjectOf(caller) }));
  },
  replace: async (caller, config, ifMatch) => {
    const request = { workspaceId: caller.membership.workspace_id, config: toProto(config), ifMatch };
    return toVersioned(await identity.putAgentConfig(request, { subject: subjectOf(caller) }));
  },
});

const toProto = (config: AgentConfig): proto.AgentConfig => ({
  enabled: config.enabled,
  allowedTools: config.allowed_tools,
  deniedTools: config.denied_tools,
  requireApproval: config.require_approval,
  codeExecEnabled: config.code_exec_enabled,
  maxConcurrent: config.max_concurrent,
  maxDelegates: config.max_delegates,
});

const toVersioned = ({ config, version }: proto.GetAgentConfigResponse): VersionedConfig => {
  if (!config) throw new Fault('internal', 'Identity answered without a configuration.');
  return {
    version,
    config: {
      enabled: config.enabled,
      allowed_tools: config.allowedTools,
      denied_tools: config.deniedTools,
      require_approval: config.requireApproval,
      code_exec_enabled: config.codeExecEnabled,
      max_concurrent: config.maxConcurrent,
      max_delegates: config.maxDelegates,
    },
  };
};
