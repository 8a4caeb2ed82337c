/** Agent configurations in Postgres, replaced by compare-and-set on the version, together with the event. */
import type { Database } from '../databases/database.prisma.ts';
import type { EventLog } from '../events/event-log.prisma.ts';
import type { AgentConfig, AgentConfigStore, VersionedConfig } from './agent-config.ts';

export const createAgentConfigStore = (database: Database, events: EventLog): AgentConfigStore => ({
  findConfig: async (workspaceId) => {
    const row = await database.agentConfig.findUnique({ where: { workspaceId } });
    return row ? toConfig(row) : undefined;
  },
  replaceConfig: ({ workspaceId, seen, config, changed, updatedBy, actor }) =>
    database.$transaction(async (tx) => {
      const data = { ...toRow(config), version: seen + 1, updatedBy, updatedAt: new Date() };
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

/** The lists as the client wants them: its own to change. */
export const toRow = ({ enabled, allowedTools, deniedTools, requireApproval, ...limits }: AgentConfig) => ({
  enabled,
  allowedTools: [...allowedTools],
  deniedTools: [...deniedTools],
  requireApproval: [...requireApproval],
  codeExecEnabled: limits.codeExecEnabled,
  maxConcurrent: limits.maxConcurrent,
  maxDelegates: limits.maxDelegates,
});

const toConfig = ({ version, ...row }: ReturnType<typeof toRow> & { readonly version: number }): VersionedConfig => ({
  config: toRow(row),
  version,
});
