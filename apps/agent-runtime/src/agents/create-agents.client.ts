/** Makes the agents of this process: each with a client of its model and a way to its tools. Nothing is asked of either yet. */
import { readAgentToken } from '../config/read-agent-token.ts';
import type { RuntimeConfig } from '../config/read-config.ts';
import { createModelClient } from '../loop/call-model.client.ts';
import { createToolServer } from '../loop/call-tool.client.ts';
import { McpSession } from '../loop/mcp-session.client.ts';
import { joinToolServers } from '../loop/join-tool-servers.ts';
import { ToolCatalogue } from '../loop/tool-catalogue.ts';
import type { ToolServer } from '../loop/tool-server.ts';
import type { Agent } from './agent.ts';

/** @throws ConfigError when the agent token cannot be read. */
export async function createAgents(
  config: Pick<RuntimeConfig, 'agents' | 'tokenSource'>,
  log: (message: string) => void,
): Promise<ReadonlyMap<string, Agent>> {
  const token = config.tokenSource === undefined ? undefined : await readAgentToken(config.tokenSource);
  const bearer = token === undefined ? undefined : `Bearer ${token}`;
  return new Map(
    [...config.agents].map(([alias, agent]) => {
      const servers = agent.servers.map((server) => ({
        ...server,
        session: new McpSession(server.url, bearer ?? server.authorization),
      }));
      const openToolServer = (): ToolServer =>
        joinToolServers(
          servers.map(({ name, session, callTimeoutMs }) => ({
            name,
            ...createToolServer(name, session, callTimeoutMs),
          })),
          agent.excludedTools,
          log,
        );
      const callModel =
        agent.model && createModelClient(agent.model.uri, agent.model.name, token ?? agent.model.apiKey);
      return [alias, { config: agent, callModel, openToolServer, catalogue: new ToolCatalogue(openToolServer(), log) }];
    }),
  );
}
