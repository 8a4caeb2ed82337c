/** The whole broker on a real PostgreSQL and NATS behind its real HTTP and gRPC servers, beside peers of their own. For specs only. */
import { createContentKeyPair } from '@bravo/events/sealing/seal-content';
import { createContentSealer } from './trails/content-sealer.client.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import {
  createGrpcClient,
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  type GrpcClient,
  type GrpcServer,
  listenHttp,
  newId,
  type ServiceName,
  type Subject,
} from '@bravo/chassis';
import { type Bus, startOutboxRelay, turnSubject } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { BrokerServiceService } from '@bravo/proto/broker';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import { startTestNats, startTestPostgres, type TestNats, type TestPostgres } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { BROKER_ACCESS } from './access/access.grpc.ts';
import { BrokerModule, createBroker } from './broker.module.ts';
import { type BrokerDatabase, openBrokerDatabase, SCHEMA } from './databases/broker-database.prisma.ts';
import { useStrictJson } from './json/json-body.http.ts';
import {
  type IdentityState,
  newIdentityState,
  newSandboxState,
  type Peer,
  type SandboxState,
  startIdentityPeer,
  startSandboxPeer,
} from './peers.fixture.ts';
import { type ModelsState, newModelsState, startModelsPeer } from './models-peer.fixture.ts';
import { newOrchestratorState, type OrchestratorState, startOrchestratorPeer } from './orchestrator-peer.fixture.ts';
import { FetchFailed, type FetchHop } from './pages/fetch-hop.ts';
import type { FactSources } from './tool-calls/gather-facts.ts';
import { createContentVault } from './slots/content-vault.ts';
import { startSweep } from './sweeps/start-sweep.ts';

export interface RunningBroker {
  readonly mcpUrl: string;
  readonly grpc: string;
  /** As a killed process: nothing is handed back, nothing is drained. */
  kill(): Promise<void>;
}

export interface Talk {
  readonly conversationId: string;
  readonly token: string;
  readonly userId: string;
  readonly workspaceId: string;
}

/** Settings documents that are there when the conversation begins. */
export type Layers = Readonly<Partial<Record<'workspace' | 'user', object>>>;

export interface TestBed {
  readonly database: BrokerDatabase;
  /** What only the schema's owner may do, as taking a table away. */
  asOwner(sql: string): Promise<void>;
  readonly bus: Bus;
  readonly identity: IdentityState;
  readonly sandbox: SandboxState;
  readonly models: ModelsState;
  readonly orchestrator: OrchestratorState;
  broker: RunningBroker;
  startBroker(settings?: BrokerSettings): Promise<RunningBroker>;
  stopIdentity(): Promise<void>;
  startIdentity(): Promise<void>;
  stopSandbox(): Promise<void>;
  startSandbox(): Promise<void>;
  /** A conversation with a bound token, as the orchestrator begins one. */
  begin(mode?: string, settings?: Layers, unattended?: boolean): Promise<Talk>;
  as(service: ServiceName): Promise<GrpcClient<typeof BrokerServiceService>>;
  person(talk: Talk): { subject: Subject };
  /** Events of a conversation's trail, oldest first. */
  trail(talk: Talk): Promise<{ type: string; actor: string; data: Record<string, unknown> }[]>;
  /** What its turn stream holds. */
  stream(talk: Talk): Promise<{ event: string; data: Record<string, unknown> }[]>;
  work(talk: Talk): Promise<Record<string, unknown>[]>;
}

export interface BrokerSettings {
  readonly holdSeconds?: number;
  readonly approvalTtlSeconds?: number;
  readonly effectPatienceMs?: number;
  readonly sweepMs?: number;
  /** What is outside. */
  readonly fetchHop?: FetchHop;
  /** What gathers the facts of decisions, where a spec wants one of them to lie. */
  readonly replaceReaders?: (readers: FactSources) => FactSources;
}

const SERVICES: readonly ServiceName[] = [
  'gateway',
  'orchestrator',
  'broker',
  'identity',
  'sandbox',
  'models',
  'audit',
];
const logger = createLogger('tool-broker', 'silent');
/** Of everybody here: whose key it is, audit's specs ask. */
const vault = createContentVault(randomBytes(32));
const contentKey = createContentKeyPair().then(({ publicJwk }) => publicJwk);

/** Filled before the specs of the calling file and stopped after them. */
export const useBroker = (settings: BrokerSettings = {}): TestBed => {
  const bed = {
    identity: newIdentityState(),
    sandbox: newSandboxState(),
    models: newModelsState(),
    orchestrator: newOrchestratorState(),
  } as {
    -readonly [K in keyof TestBed]: TestBed[K];
  };
  const keys = mkdtempSync(path.join(tmpdir(), 'bravo-broker-keys-'));
  const keyFile = (name: string): string => path.join(keys, name);
  const running: RunningBroker[] = [];
  let postgres: TestPostgres;
  let nats: TestNats;
  let identityPeer: Peer;
  let sandboxPeer: Peer;
  let modelsPeer: Peer;
  let orchestratorPeer: Peer;

  beforeAll(async () => {
    [postgres, nats] = await Promise.all([
      startTestPostgres({ app: 'tool-broker', schema: 'broker' }),
      startTestNats(),
    ]);
    await writeKeys(keyFile);
    identityPeer = await startIdentityPeer(bed.identity, keyFile('all'));
    sandboxPeer = await startSandboxPeer(bed.sandbox, keyFile('all'));
    modelsPeer = await startModelsPeer(bed.models, keyFile('all'));
    orchestratorPeer = await startOrchestratorPeer(bed.orchestrator, keyFile('all'));
    bed.database = openBrokerDatabase(postgres.url('broker'));
    bed.asOwner = (sql) => postgres.asOwner('broker', sql);
    bed.bus = await connectNatsBus({ url: nats.url, user: nats.user, password: nats.password, name: 'spec' });
    await bed.bus.ensureStreams(['EVENTS', 'TURNS', 'WORK']);
    bed.broker = await bed.startBroker(settings);
  }, 120_000);

  afterAll(async () => {
    for (const broker of running) await broker.kill();
    await bed.bus?.close();
    await bed.database?.$disconnect();
    await Promise.all([identityPeer?.stop(), sandboxPeer?.stop(), modelsPeer?.stop(), orchestratorPeer?.stop()]);
    await Promise.all([postgres?.stop(), nats?.stop()]);
    rmSync(keys, { recursive: true, force: true });
  }, 60_000);

  bed.startIdentity = async () => {
    identityPeer = await startIdentityPeer(bed.identity, keyFile('all'), identityPeer.port);
  };
  bed.stopIdentity = () => identityPeer.stop();
  bed.startSandbox = async () => {
    sandboxPeer = await startSandboxPeer(bed.sandbox, keyFile('all'), sandboxPeer.port);
  };
  bed.stopSandbox = () => sandboxPeer.stop();

  bed.startBroker = async (wanted = settings) => {
    const database = openBrokerDatabase(postgres.url('broker'));
    const bus = await connectNatsBus({ url: nats.url, user: nats.user, password: nats.password, name: 'broker' });
    const signer = await createPrincipalSigner('broker', keyFile('broker'));
    const relay = startOutboxRelay({ database, schema: SCHEMA, bus, logger });
    const clients = {
      identity: createGrpcClient(IdentityServiceService, {
        address: identityPeer.address,
        audience: 'identity',
        signer,
        defaultTimeoutMs: 2_000,
      }),
      workspaces: createGrpcClient(WorkspaceServiceService, {
        address: sandboxPeer.address,
        audience: 'sandbox',
        signer,
      }),
      models: createGrpcClient(ModelsServiceService, { address: modelsPeer.address, audience: 'models', signer }),
      sandbox: createGrpcClient(SandboxServiceService, { address: sandboxPeer.address, audience: 'sandbox', signer }),
      orchestrator: createGrpcClient(OrchestratorServiceService, {
        address: orchestratorPeer.address,
        audience: 'orchestrator',
        signer,
      }),
    };
    const hold = wanted.holdSeconds ?? 20;
    const parts = createBroker({
      ...{ database, bus, relay, logger, ...clients },
      fetchHop:
        wanted.fetchHop ?? (() => Promise.reject(new FetchFailed('fetch_cut_off', 'There is nothing outside here.'))),
      trailGate: { requireOpen: () => undefined },
      seal: createContentSealer(
        { getSealingKey: async () => ({ keyId: 'key_1', publicJwk: await contentKey }) } as never,
        Date.now,
      ),
      vault,
      settings: {
        publicUrl: 'http://127.0.0.1:1',
        mcpUrl: 'http://127.0.0.1/mcp/',
        approvalTtlSeconds: wanted.approvalTtlSeconds ?? 600,
        holdSeconds: { bravo: hold, zeroclaw: hold / 2, unknown: hold / 4 },
        effectPatienceMs: wanted.effectPatienceMs ?? 10_000,
      },
      now: Date.now,
      ...(wanted.replaceReaders === undefined ? {} : { replaceReaders: wanted.replaceReaders }),
    });
    const server: GrpcServer = createGrpcServer({
      service: 'broker',
      verifier: createPrincipalVerifier('broker', keyFile('all')),
      logger,
    });
    server.addService(BrokerServiceService, parts.handlers, BROKER_ACCESS);
    const http = await createHttpApp(BrokerModule.with(parts.mcp, { checks: {} }), {
      logger,
      bodyLimit: 4 * 1024 * 1024,
    });
    useStrictJson(http);
    const grpcPort = await server.listen('127.0.0.1', 0);
    const httpPort = await listenHttp(http, '127.0.0.1', 0);
    const sweep = startSweep({ ...parts.sweep, everyMs: wanted.sweepMs ?? 200 });
    const scheduleSweep = startSweep({ ...parts.scheduleSweep, everyMs: wanted.sweepMs ?? 200 });
    let dead = false;
    const broker: RunningBroker = {
      mcpUrl: `http://127.0.0.1:${httpPort}/mcp/`,
      grpc: `127.0.0.1:${grpcPort}`,
      kill: async () => {
        if (dead) return;
        dead = true;
        await Promise.all([sweep.stop(), scheduleSweep.stop()]);
        parts.releaseHolds();
        await http.close();
        await server.drain(0);
        await relay.stop();
        await bus.close();
        for (const client of Object.values(clients)) client.close();
        await database.$disconnect();
      },
    };
    running.push(broker);
    return broker;
  };

  bed.as = async (service) =>
    createGrpcClient(BrokerServiceService, {
      address: bed.broker.grpc,
      audience: 'broker',
      signer: await createPrincipalSigner(service, keyFile(service)),
    });
  bed.person = ({ userId, workspaceId }) => ({ subject: { userId, workspaceId } });
  bed.begin = async (mode = 'coworker', settings = {}, unattended = false) => {
    const talk = {
      conversationId: newId('cnv'),
      userId: newId('usr'),
      workspaceId: newId('ws'),
      token: `bwt_bravo_${newId('tok').slice(4)}`,
    };
    bed.identity.tokens.set(talk.token, {
      bound: true,
      userId: talk.userId,
      workspaceId: talk.workspaceId,
      conversationId: talk.conversationId,
    });
    const { identity } = bed;
    for (const [layer, document] of Object.entries(settings)) {
      const owner = layer === 'user' ? talk.userId : '';
      identity.settings.set(`${layer}:${talk.workspaceId}:${owner}`, JSON.stringify(document));
    }
    const orchestrator = await bed.as('orchestrator');
    await orchestrator.snapshotConversation(
      { conversationId: talk.conversationId, mode, projectId: '', attended: !unattended },
      bed.person(talk),
    );
    orchestrator.close();
    return talk;
  };
  bed.trail = async ({ conversationId }) => {
    const rows = await bed.database.outbox.findMany({ where: { stream: 'EVENTS' }, orderBy: { id: 'asc' } });
    return rows
      .map(
        (row) =>
          JSON.parse(row.body) as { type: string; actor: string; conversation: string; data: Record<string, unknown> },
      )
      .filter((event) => event.conversation === conversationId);
  };
  bed.stream = async ({ conversationId, workspaceId }) => {
    const subject = turnSubject(workspaceId, conversationId);
    const last = await bed.bus.lastSequence('TURNS', subject);
    const events: { event: string; data: Record<string, unknown> }[] = [];
    if (last === 0) return events;
    const stop = new AbortController();
    for await (const message of bed.bus.read('TURNS', subject, 0, stop.signal)) {
      events.push(JSON.parse(message.body) as (typeof events)[number]);
      if (message.sequence >= last) stop.abort();
    }
    return events;
  };
  bed.work = async ({ conversationId }) => {
    const rows = await bed.database.outbox.findMany({ where: { stream: 'WORK' }, orderBy: { id: 'asc' } });
    return rows
      .map((row) => JSON.parse(row.body) as Record<string, unknown>)
      .filter((item) => item['conversation_id'] === conversationId);
  };
  return bed;
};

const writeKeys = async (keyFile: (name: string) => string): Promise<void> => {
  const jwks: unknown[] = [];
  for (const service of SERVICES) {
    const pair = await generateKeyPair('ES256', { extractable: true });
    writeFileSync(keyFile(service), JSON.stringify(await exportJWK(pair.privateKey)));
    jwks.push({ ...(await exportJWK(pair.publicKey)), kid: service, alg: 'ES256' });
  }
  writeFileSync(keyFile('all'), JSON.stringify({ keys: jwks }));
};
