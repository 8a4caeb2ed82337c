/** Everything a gateway is wired with, over the real servers of a spec and databases in memory. */
import { createHash } from 'node:crypto';
import type { Agent } from '../agents/agent.ts';
import type { AgentConfig } from '../config/read-agents.ts';
import { openDatabase } from '../databases/open-database.ts';
import { EventLog } from '../events/event-log.ts';
import type { GatewayPorts } from '../gateway/serve-gateway.http.ts';
import { createModelClient } from '../loop/call-model.client.ts';
import { createToolServer } from '../loop/call-tool.client.ts';
import { McpSession } from '../loop/mcp-session.client.ts';
import { ToolCatalogue } from '../loop/tool-catalogue.ts';
import { MEMORY_SCHEMA, MemoryStore } from '../memories/memory-store.ts';
import { Pairing } from '../pairing/pairing.ts';
import { SESSION_SCHEMA, SessionStore } from '../sessions/session-store.ts';
import { UsageCounter } from '../usage/usage-counter.ts';

export interface PodFacts {
  readonly mcpUrl: string;
  readonly modelUrl: string;
  readonly token: string;
  readonly secret: string;
}

export function podPorts(
  facts: PodFacts,
  agent: Partial<AgentConfig> = {},
  more: Partial<GatewayPorts> = {},
): GatewayPorts {
  const session = new McpSession(facts.mcpUrl, `Bearer ${facts.token}`);
  const openToolServer = () => createToolServer('platform', session, 5_000);
  const config: AgentConfig = {
    alias: 'worker',
    model: { uri: facts.modelUrl, name: 'default', provider: 'custom.main', apiKey: undefined },
    servers: [],
    level: 'full',
    autoApprove: [],
    alwaysAsk: [],
    excludedTools: [],
    maxIterations: 4,
    maxContextTokens: 1_000,
    remembers: true,
    workspace: undefined,
    systemPrompt: 'be brief',
    ...agent,
  };
  const worker: Agent = {
    config,
    callModel: createModelClient(facts.modelUrl, 'default', facts.token),
    openToolServer,
    catalogue: new ToolCatalogue(openToolServer(), () => undefined),
  };
  return {
    agents: new Map([['worker', worker]]),
    pairing: new Pairing([createHash('sha256').update(facts.secret).digest('hex')], () => undefined),
    pathPrefix: '',
    webhookSecret: undefined,
    requestTimeoutMs: 5_000,
    sessions: new SessionStore(openDatabase(undefined, SESSION_SCHEMA)),
    memories: new MemoryStore(openDatabase(undefined, MEMORY_SCHEMA)),
    autoSave: false,
    events: new EventLog(),
    usage: new UsageCounter(),
    log: () => undefined,
    ...more,
  };
}
