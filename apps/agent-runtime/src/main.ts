/** Starts the pod's program: read the configuration, take the token, listen, list the tools; leave at once on SIGTERM. */
import type { AddressInfo } from 'node:net';
import { ConfigError } from './config/config-error.ts';
import { readAgentToken } from './config/read-agent-token.ts';
import { readConfig } from './config/read-config.ts';
import { createGateway } from './gateway/serve-gateway.http.ts';
import { createModelClient } from './loop/call-model.client.ts';
import { createToolServer } from './loop/call-tool.client.ts';
import { ToolCatalogue } from './loop/tool-catalogue.ts';
import { SessionStore } from './sessions/session-store.ts';

const log = (message: string): void => void process.stderr.write(`agent-runtime: ${message}\n`);

async function start(): Promise<void> {
  // A pod's settings are ZeroClaw's, and the least trusted program imports none of our libraries: it reads them here, once.
  // eslint-disable-next-line bravo/no-environment -- the reason is the line above
  const config = readConfig(process.env);
  const token = await readAgentToken(config.tokenSource);
  const openToolServer = () => createToolServer(config.mcp.server, config.mcp.url, token, config.mcp.callTimeoutMs);
  const catalogue = new ToolCatalogue(openToolServer(), log);
  const server = createGateway({
    agentAlias: config.agent,
    tokenHashes: config.tokenHashes,
    catalogue,
    sessions: new SessionStore(),
    callModel: createModelClient(config.model.uri, config.model.name, token),
    openToolServer,
    agent: { ...config, provider: config.model.provider },
    log,
  });
  server.on('error', (error) => fail(`cannot listen on ${config.host}:${config.port}: ${error.message}.`));
  server.listen(config.port, config.host, () => {
    log(`listening on ${config.host}:${(server.address() as AddressInfo).port}`);
    void catalogue.tools();
  });
}

function fail(message: string): never {
  log(message);
  process.exit(1);
}

// Nothing here is durable, so there is nothing to wait for: the orchestrator treats the dropped socket as a cancelled turn.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));

start().catch((error: unknown) => fail(error instanceof ConfigError ? error.message : String((error as Error).stack)));
