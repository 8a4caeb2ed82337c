/** Starts tool-broker: MCP and health over HTTP, gRPC for the other services, the outbox relay and the sweep. */
import 'reflect-metadata';
import {
  createGrpcClient,
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  createTicketSigner,
  listenHttp,
  measureOutboxLag,
  peerReady,
  readCertificates,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { configureProcess, toolBrokerSettings } from '@bravo/config';
import { startOutboxRelay } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { BrokerServiceService } from '@bravo/proto/broker';
import { AuditServiceService } from '@bravo/proto/audit';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';
import { BROKER_ACCESS } from './access/access.grpc.ts';
import { BrokerModule, createBroker } from './broker.module.ts';
import { openBrokerDatabase, SCHEMA } from './databases/broker-database.prisma.ts';
import { useStrictJson } from './json/json-body.http.ts';
import { DEFAULT_JSON_LIMITS } from './json/parse-strict-json.ts';
import { readLanguageTable } from './language-servers/language-table.ts';
import { createFetchHop } from './pages/fetch-hop.client.ts';
import { startSweep } from './sweeps/start-sweep.ts';
import { createContentVault } from './slots/content-vault.ts';
import { readSlotKey } from './slots/read-slot-key.client.ts';
import { createContentSealer } from './trails/content-sealer.client.ts';
import { startTrailGate } from './trails/trail-gate.ts';

const DRAIN_MS = 5_000;
const SWEEP_MS = 1_000;
const EFFECT_PATIENCE_MS = 60_000;

const config = configureProcess('tool-broker', toolBrokerSettings);
const logger = createLogger('tool-broker', config.logLevel);
startTelemetry('tool-broker', config);

await runProcess('tool-broker', logger, async () => {
  const database = openBrokerDatabase(config.databaseUrl);
  await database.$queryRaw`SELECT 1`;
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'broker',
  });
  await bus.ensureStreams(['EVENTS', 'TURNS', 'WORK']);
  const signer = await createPrincipalSigner('broker', config.serviceKeyFile);
  const identity = createGrpcClient(IdentityServiceService, {
    address: config.identityAddress,
    audience: 'identity',
    signer,
    defaultTimeoutMs: 3_000,
  });
  const workspaces = createGrpcClient(WorkspaceServiceService, {
    address: config.sandboxAddress,
    audience: 'sandbox',
    signer,
  });
  const sandbox = createGrpcClient(SandboxServiceService, {
    address: config.sandboxAddress,
    audience: 'sandbox',
    signer,
  });
  const models = createGrpcClient(ModelsServiceService, { address: config.modelsAddress, audience: 'models', signer });
  const orchestrator = createGrpcClient(OrchestratorServiceService, {
    address: config.orchestratorAddress,
    audience: 'orchestrator',
    signer,
  });
  const audit = createGrpcClient(AuditServiceService, { address: config.auditAddress, audience: 'audit', signer });
  const fetchHop = createFetchHop({
    address: config.egressAddress,
    sign: await createTicketSigner('broker', config.serviceKeyFile),
    certificates: readCertificates(config.outboundCertificates),
  });
  const relay = startOutboxRelay({ database, schema: SCHEMA, bus, logger });
  measureOutboxLag(() => relay.lagSeconds());
  const trailGate = startTrailGate({
    lagSeconds: () => relay.lagSeconds(),
    limitSeconds: config.trailLagSeconds,
    onChange: (open, lag) =>
      logger.error(
        { open, lag_seconds: lag },
        open ? 'the trail takes events again' : 'the trail cannot be written; calls stop',
      ),
  });
  const broker = createBroker({
    ...{
      database,
      bus,
      relay,
      trailGate,
      seal: createContentSealer(audit, Date.now),
      vault: createContentVault(readSlotKey(config.slotKeyFile)),
      identity,
      workspaces,
      sandbox,
      models,
      orchestrator,
      fetchHop,
      logger,
    },
    settings: {
      publicUrl: config.publicUrl,
      mcpUrl: config.mcpUrl,
      approvalTtlSeconds: config.approvalTtlSeconds,
      holdSeconds: {
        bravo: config.holdBravoSeconds,
        zeroclaw: config.holdZeroclawSeconds,
        unknown: config.holdUnknownSeconds,
      },
      effectPatienceMs: EFFECT_PATIENCE_MS,
      languages: readLanguageTable(config.languageServers),
    },
    now: Date.now,
  });
  const grpc = createGrpcServer({
    service: 'broker',
    verifier: createPrincipalVerifier('broker', config.serviceKeysFile),
    logger,
  });
  grpc.addService(BrokerServiceService, broker.handlers, BROKER_ACCESS);
  const readiness = {
    checks: {
      database: () => database.$queryRaw`SELECT 1`,
      nats: () => bus.ping(),
      identity: () => peerReady(identity),
    },
  };
  const http = await createHttpApp(BrokerModule.with(broker.mcp, readiness), {
    logger,
    bodyLimit: DEFAULT_JSON_LIMITS.maxBytes,
  });
  useStrictJson(http);
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  const sweep = startSweep({ ...broker.sweep, everyMs: SWEEP_MS });
  const scheduleSweep = startSweep({ ...broker.scheduleSweep, everyMs: SWEEP_MS });
  return {
    started: { grpc_port: grpcPort, http_port: httpPort },
    stop: async () => {
      broker.releaseHolds();
      trailGate.stop();
      await Promise.all([sweep.stop(), scheduleSweep.stop()]);
      await http.close();
      await grpc.drain(DRAIN_MS);
      await relay.stop();
      await bus.close();
      for (const client of [identity, workspaces, sandbox, models, orchestrator, audit]) client.close();
      await database.$disconnect();
    },
  };
});
