/** Agent configurations in Postgres, replaced by compare-and-set on the version, together with the event. */
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import type { AgentConfigStore, VersionedConfig } from './agent-config.ts';

export const createAgentConfigStore = (database: Database, events: EventLog): AgentConfigStore => ({
  findConfig: async (workspaceId) => {
    const row = await database.agentConfig.findUnique({ where: { workspaceId } });
    return row ? toConfig(row) : undefined;
  },
  replaceConfig: ({ workspaceId, seen, config, changed, updatedBy, actor }) =>
    database.$transaction(async (tx) => {
      const data = {
        enabled: config.enabled,
        allowedTools: [...config.allowedTools],
        deniedTools: [...config.deniedTools],
        requireApproval: [...config.requireApproval],
        codeExecEnabled: config.codeExecEnabled,
        maxConcurrent: config.maxConcurrent,
        version: seen + 1,
        updatedBy,
        updatedAt: new Date(),
      };
      const [row] =
        seen === 0
          ? await tx.agentConfig.createManyAndReturn({ data: { workspaceId, ...data }, skipDuplicates: true })
          : await tx.agentConfig.updateManyAndReturn({ where: { workspaceId, version: seen }, data });
      if (!row) return undefined;
      await events.append(tx, {
        type: 'agent.config.changed',
        workspace: workspaceId,
        actor,
        data: { version: row.version, changed: [...changed] },
      });
      return toConfig(row);
    }),
});

interface Row {
  readonly enabled: boolean;
  readonly allowedTools: string[];
  readonly deniedTools: string[];
  readonly requireApproval: string[];
  readonly codeExecEnabled: boolean;
  readonly maxConcurrent: number;
  readonly version: number;
}

const toConfig = ({
  enabled,
  allowedTools,
  deniedTools,
  requireApproval,
  codeExecEnabled,
  maxConcurrent,
  version,
}: Row): VersionedConfig => ({
  config: { enabled, allowedTools, deniedTools, requireApproval, codeExecEnabled, maxConcurrent },
  version,
});
