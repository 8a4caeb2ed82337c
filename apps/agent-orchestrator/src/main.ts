/** Starts the agent-orchestrator: gRPC for the gateway, health over HTTP, and the pods, turns and relay that run by themselves. */
import 'reflect-metadata';
import {
  createGrpcClient,
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  HealthModule,
  listenHttp,
  newId,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { agentOrchestratorSettings, configureProcess } from '@bravo/config';
import { connectNatsBus } from '@bravo/events/nats';
import { BrokerServiceService } from '@bravo/proto/broker';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { ORCHESTRATOR_ACCESS } from './access/access-table.grpc.ts';
import { createIdentity } from './access/identity.client.ts';
import { createModels } from './contexts/models.client.ts';
import { createBroker } from './conversations/broker.client.ts';
import { createDatabase } from './databases/database.prisma.ts';
import { createInstructionSources } from './instructions/instruction-sources.client.ts';
import { createSchedules } from './schedules/schedules.client.ts';
import { createOrchestrator } from './orchestrator.module.ts';
import { openRuntime } from './pods/open-runtime.module.ts';

const SCHEMA = 'orchestrator';
const DRAIN_MS = 2_000;
/** On a cluster other instances may die while this one lives. */
const SWEEP_SECONDS = 5;
const POD_MEMORY_BYTES = 512 * 1024 * 1024;
/** What a turn leaves behind is short-lived: a small young generation gives it back instead of growing the pod (78 MB instead of 82 after 100 turns). */
const POD_NODE_OPTIONS = ['--max-semi-space-size=1'];

const config = configureProcess('agent-orchestrator', agentOrchestratorSettings);
const logger = createLogger('agent-orchestrator', config.logLevel);
startTelemetry('agent-orchestrator', config);

await runProcess('agent-orchestrator', logger, async () => {
  const database = createDatabase(config.databaseUrl);
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'orchestrator',
  });
  await bus.ensureStreams(['EVENTS', 'TURNS', 'WORK']);
  const signer = await createPrincipalSigner('orchestrator', config.serviceKeyFile);
  const identityClient = createGrpcClient(IdentityServiceService, {
    address: config.identityAddress,
    audience: 'identity',
    signer,
  });
  const brokerClient = createGrpcClient(BrokerServiceService, {
    address: config.brokerAddress,
    audience: 'broker',
    signer,
  });
  const modelsClient = createGrpcClient(ModelsServiceService, {
    address: config.modelsAddress,
    audience: 'models',
    signer,
  });
  // Another name each time: what an earlier life of this process left is found under a name that is dead.
  const runtime = await openRuntime(config, newId('op'), (notice, about) => logger.warn(about, notice));
  const orchestrator = await createOrchestrator({
    database,
    bus,
    logger,
    schema: SCHEMA,
    identity: createIdentity(identityClient),
    broker: createBroker(brokerClient),
    schedules: createSchedules(brokerClient),
    models: createModels(modelsClient),
    instructionSources: createInstructionSources(identityClient, brokerClient),
    runtime,
    programs: {
      ...(config.podImage !== '' && { image: config.podImage }),
      command: [config.podNode, ...POD_NODE_OPTIONS, config.podProgram],
      mcpUrl: config.mcpUrl,
      modelUrl: config.modelUrl,
      memoryLimitBytes: POD_MEMORY_BYTES,
    },
    production: config.env === 'production',
    warmPods: config.warmPods,
    idleSeconds: config.idleSeconds,
    leaseSeconds: config.leaseSeconds,
    turnSeconds: config.turnSeconds,
    ...(config.containerRuntime === 'kubernetes' && { sweepSeconds: SWEEP_SECONDS }),
  });
  const grpc = createGrpcServer({
    service: 'orchestrator',
    verifier: createPrincipalVerifier('orchestrator', config.serviceKeysFile),
    logger,
  });
  grpc.addService(OrchestratorServiceService, orchestrator.handlers, ORCHESTRATOR_ACCESS);
  const http = await createHttpApp(
    HealthModule.with({ checks: { database: () => database.$queryRaw`SELECT 1`, nats: () => bus.ping() } }),
    { logger },
  );
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  return {
    started: { grpc_port: grpcPort, http_port: httpPort, instance: runtime.owner },
    stop: async () => {
      await grpc.drain(DRAIN_MS);
      await orchestrator.stop();
      await http.close();
      identityClient.close();
      brokerClient.close();
      modelsClient.close();
      await bus.close();
      await database.$disconnect();
    },
  };
});
