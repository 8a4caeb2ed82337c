/** Starts identity: gRPC for the other services, HTTP for health, and the relay of its outbox. */
import 'reflect-metadata';
import {
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalVerifier,
  HealthModule,
  listenHttp,
  measureOutboxLag,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { configureProcess, identitySettings } from '@bravo/config';
import { startOutboxRelay } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { IdentityServiceService } from '@bravo/proto/identity';
import { IDENTITY_ACCESS } from './access.grpc.ts';
import { createDatabase } from './databases/database.prisma.ts';
import { createIdentity } from './identity.module.ts';
import { readSealingKey } from './secrets/read-sealing-key.client.ts';

const SCHEMA = 'identity';
const DRAIN_MS = 5_000;

const config = configureProcess('identity', identitySettings);
const logger = createLogger('identity', config.logLevel);
startTelemetry('identity', config);

await runProcess('identity', logger, async () => {
  const database = createDatabase(config.databaseUrl);
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'identity',
  });
  await bus.ensureStreams(['EVENTS']);
  const identity = await createIdentity({
    database,
    bus,
    logger,
    schema: SCHEMA,
    production: config.env === 'production',
    sessionTtlSeconds: config.sessionTtlSeconds,
    agentTokenTtlSeconds: config.agentTokenTtlSeconds,
    instanceFeatures: config.instanceFeatures.split(',').map((name) => name.trim()),
    sealingKey: readSealingKey(config.sealingKeyFile),
    now: () => new Date(),
  });
  if (config.seedDemo && (await identity.seedDemo())) logger.info('the demo people and workspaces are in place');
  const relay = startOutboxRelay({ database, schema: SCHEMA, bus, logger });
  measureOutboxLag(() => relay.lagSeconds());
  const verifier = createPrincipalVerifier('identity', config.serviceKeysFile);
  const grpc = createGrpcServer({ service: 'identity', verifier, logger });
  grpc.addService(IdentityServiceService, identity.handlers, IDENTITY_ACCESS);
  const http = await createHttpApp(
    HealthModule.with({ checks: { database: () => database.$queryRaw`SELECT 1`, nats: () => bus.ping() } }),
    { logger },
  );
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  return {
    started: { grpc_port: grpcPort, http_port: httpPort },
    stop: async () => {
      await grpc.drain(DRAIN_MS);
      await http.close();
      await relay.stop();
      await bus.close();
      await database.$disconnect();
    },
  };
});
