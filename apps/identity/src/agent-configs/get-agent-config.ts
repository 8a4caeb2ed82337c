/** The agent configuration of the caller's workspace; one nobody has written yet reads as "off". */
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import { type AgentConfigStore, UNCONFIGURED, type VersionedConfig } from './agent-config.ts';

export const createGetAgentConfig =
  ({ agentConfigs }: { agentConfigs: AgentConfigStore }) =>
  async (actor: Actor, workspaceId: string): Promise<VersionedConfig> => {
    requireWorkspace(actor, workspaceId);
    return (await agentConfigs.findConfig(workspaceId)) ?? { config: UNCONFIGURED, version: 0 };
  };
