/** Replaces the whole agent configuration for future conversations; only admins, and never over a change the writer has not seen. */
import { Fault } from '@bravo/faults';
import { type Actor, actorName } from '../callers/actor.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { MemberStore } from '../members/member-store.ts';
import { requireAdmin } from '../members/require-admin.ts';
import {
  type AgentConfig,
  type AgentConfigStore,
  changedFields,
  checkAgentConfig,
  UNCONFIGURED,
  type VersionedConfig,
} from './agent-config.ts';

export interface PutAgentConfigParts {
  readonly agentConfigs: AgentConfigStore;
  readonly members: MemberStore;
  readonly invalidation: Invalidation;
}

export const createPutAgentConfig =
  ({ agentConfigs, members, invalidation }: PutAgentConfigParts) =>
  async (actor: Actor, workspaceId: string, config: AgentConfig, ifMatch: number): Promise<VersionedConfig> => {
    await requireAdmin(members, actor, workspaceId, 'change what @bravo may do');
    checkAgentConfig(config);
    const present = (await agentConfigs.findConfig(workspaceId)) ?? { config: UNCONFIGURED, version: 0 };
    if (ifMatch !== 0 && ifMatch !== present.version) throw movedOn(present.version);
    const written = await agentConfigs.replaceConfig({
      workspaceId,
      seen: present.version,
      config,
      changed: changedFields(present.config, config),
      updatedBy: actor.userId,
      actor: actorName(actor),
    });
    if (!written) throw movedOn(present.version + 1);
    // The conversation that is begun next must start with it.
    invalidation.announce(workspaceId, {});
    return written;
  };

const movedOn = (version: number): Fault =>
  new Fault(
    'version_conflict',
    `The configuration is at version ${version} by now. Read it again, then repeat your change.`,
    {
      meta: { version: String(version) },
    },
  );
