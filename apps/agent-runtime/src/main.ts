/** Starts the pod's program: read the configuration, take the token, listen, list the tools; leave at once on SIGTERM. */
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createAgents } from './agents/create-agents.client.ts';
import { ConfigError } from './config/config-error.ts';
import { readConfig } from './config/read-config.ts';
import { openDatabase } from './databases/open-database.ts';
import { EventLog } from './events/event-log.ts';
import { createGateway } from './gateway/serve-gateway.http.ts';
import { MEMORY_SCHEMA, MemoryStore } from './memories/memory-store.ts';
import { Pairing } from './pairing/pairing.ts';
import { writePairedTokens } from './pairing/write-paired-tokens.ts';
import { SESSION_SCHEMA, SessionStore } from './sessions/session-store.ts';
import { UsageCounter } from './usage/usage-counter.ts';

const log = (message: string): void => void process.stderr.write(`agent-runtime: ${message}\n`);

async function start(): Promise<void> {
  // A pod's settings are ZeroClaw's, and the least trusted program imports none of our libraries: it reads them here, once.
  // eslint-disable-next-line bravo/no-environment -- the reason is the line above
  const config = readConfig(process.env);
  config.notices.forEach(log);
  const agents = await createAgents(config, log);
  const { installDirectory: directory, memory } = config;
  const open = (name: string, schema: string) =>
    openDatabase(directory && path.join(directory, 'data', ...name.split('/')), schema, log);
  const pairing = new Pairing(
    config.tokenHashes,
    (hashes) => writePairedTokens(directory, hashes),
    config.tokenSource === undefined,
  );
  const server = createGateway({
    ...config,
    agents,
    pairing,
    sessions: new SessionStore(open('sessions/sessions.db', SESSION_SCHEMA)),
    memories: memory.backend === 'none' ? undefined : new MemoryStore(open('memory/brain.db', MEMORY_SCHEMA)),
    autoSave: memory.autoSave,
    events: new EventLog(),
    usage: new UsageCounter(),
    log,
  });
  server.on('error', (error) => fail(`cannot listen on ${config.host}:${config.port}: ${error.message}.`));
  server.listen(config.port, config.host, () => {
    log(`listening on ${config.host}:${(server.address() as AddressInfo).port}`);
    if (pairing.code !== undefined) log(`nobody is paired; POST /pair with the header X-Pairing-Code: ${pairing.code}`);
    for (const { catalogue } of agents.values()) void catalogue.tools();
  });
}

function fail(message: string): never {
  log(message);
  process.exit(1);
}

// Nothing here is the record, so there is nothing to wait for: the orchestrator treats the dropped socket as a cancelled turn.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));

start().catch((error: unknown) => fail(error instanceof ConfigError ? error.message : String((error as Error).stack)));
