/** Starts audit: the consumer of every event, gRPC for the trail, HTTP for health. */
import 'reflect-metadata';
import {
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalVerifier,
  HealthModule,
  listenHttp,
  measureConsumerLag,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { auditSettings, configureProcess } from '@bravo/config';
import { connectNatsBus } from '@bravo/events/nats';
import { AuditServiceService } from '@bravo/proto/audit';
import { AUDIT_ACCESS } from './access.grpc.ts';
import { createAudit } from './audit.module.ts';
import { readSigningKey } from './checkpoints/read-signing-key.client.ts';
import { createNoteSigner } from './checkpoints/signed-note.ts';
import { createDatabase } from './databases/database.prisma.ts';

const DRAIN_MS = 5_000;

const config = configureProcess('audit', auditSettings);
const logger = createLogger('audit', config.logLevel);
startTelemetry('audit', config);

await runProcess('audit', logger, async () => {
  const signer = createNoteSigner(readSigningKey(config.signingKeyFile));
  const database = createDatabase(config.databaseUrl);
  await database.$queryRaw`SELECT 1`;
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'audit',
  });
  await bus.ensureStreams(['EVENTS']);
  const { checkpointRows, checkpointSeconds } = config;
  const audit = createAudit({ database, bus, signer, checkpointRows, checkpointSeconds, logger });
  const verifier = createPrincipalVerifier('audit', config.serviceKeysFile);
  const grpc = createGrpcServer({ service: 'audit', verifier, logger });
  grpc.addService(AuditServiceService, audit.handlers, AUDIT_ACCESS);
  const http = await createHttpApp(
    HealthModule.with({ checks: { database: () => database.$queryRaw`SELECT 1`, nats: () => bus.ping() } }),
    { logger },
  );
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  const running = audit.start();
  measureConsumerLag('EVENTS', () => bus.backlog('EVENTS', 'audit'));
  return {
    started: { grpc_port: grpcPort, http_port: httpPort },
    stop: async () => {
      await grpc.drain(DRAIN_MS);
      await http.close();
      await running.stop();
      await bus.close();
      await database.$disconnect();
    },
  };
});
