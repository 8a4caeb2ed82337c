/** Starts audit: the consumer of every event, gRPC for the trail, HTTP for health. */
import 'reflect-metadata';
import {
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalVerifier,
  createTicketSigner,
  HealthModule,
  listenHttp,
  measure,
  measureConsumerLag,
  measureOutboxLag,
  readCertificates,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { auditSettings, configureProcess } from '@bravo/config';
import { connectNatsBus } from '@bravo/events/nats';
import { AuditServiceService } from '@bravo/proto/audit';
import { AUDIT_ACCESS } from './access.grpc.ts';
import { createAudit } from './audit.module.ts';
import { createCheckpointDirectory } from './checkpoints/checkpoint-directory.client.ts';
import { createCheckpointTable } from './checkpoints/checkpoint-table.prisma.ts';
import { createCheckpointWebhook } from './checkpoints/checkpoint-webhook.client.ts';
import { createPostText } from './checkpoints/post-text.client.ts';
import { readRetiredKey, readSigningKey } from './checkpoints/read-signing-key.client.ts';
import { createNoteSigner } from './checkpoints/signed-note.ts';
import { readWitness } from './checkpoints/witness.client.ts';
import { readContentKey } from './contents/read-content-key.client.ts';
import { createDatabase, createScanPool } from './databases/database.prisma.ts';
import { measureDeliveries } from './deliveries/measure-deliveries.module.ts';
import { readSpan } from './retention/span.ts';

const DRAIN_MS = 5_000;

const config = configureProcess('audit', auditSettings);
const logger = createLogger('audit', config.logLevel);
startTelemetry('audit', config);

await runProcess('audit', logger, async () => {
  const signer = createNoteSigner(readSigningKey(config.signingKeyFile), {
    overlapping: config.overlapKeyFile === undefined ? [] : [readSigningKey(config.overlapKeyFile)],
    retired: config.retiredKeyFiles.map(readRetiredKey),
  });
  const database = createDatabase(config.databaseUrl);
  const scanPool = createScanPool(config.databaseUrl);
  await database.$queryRaw`SELECT 1`;
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'audit',
  });
  await bus.ensureStreams(['EVENTS']);
  const { checkpointRows, checkpointSeconds, checkpointDirectory, checkpointWebhook, witnessDatabaseUrl } = config;
  const witnessPool = witnessDatabaseUrl === undefined ? undefined : createScanPool(witnessDatabaseUrl);
  const wayOut = {
    address: config.egressAddress,
    sign: await createTicketSigner('audit', config.serviceKeyFile),
    certificates: readCertificates(config.outboundCertificates),
  };
  const sinks = [
    ...(witnessPool === undefined ? [] : [createCheckpointTable(witnessPool)]),
    ...(checkpointDirectory === undefined ? [] : [createCheckpointDirectory(checkpointDirectory)]),
    ...(checkpointWebhook === undefined ? [] : [createCheckpointWebhook(checkpointWebhook, createPostText(wayOut))]),
  ];
  const prunerPool = config.prunerDatabaseUrl === undefined ? undefined : createScanPool(config.prunerDatabaseUrl);
  const secondsOf = (span: string): number | null => readSpan(span) ?? null;
  const witnesses = config.witnesses.map((text) => ({ witness: readWitness(text), post: createPostText(wayOut) }));
  const audit = createAudit({
    database,
    databaseUrl: config.databaseUrl,
    scanPool,
    bus,
    signer,
    sinks,
    witnesses,
    contentKey: readContentKey(config.contentKeyFile),
    checkpointRows,
    checkpointSeconds,
    retention: {
      policy: { rows: secondsOf(config.retentionRows), content: secondsOf(config.retentionContent) },
      least: secondsOf(config.retentionLeast),
      pruneSeconds: config.pruneSeconds,
      prunerPool,
    },
    wayOut,
    logger,
  });
  const verifier = createPrincipalVerifier('audit', config.serviceKeysFile);
  const grpc = createGrpcServer({ service: 'audit', verifier, logger });
  grpc.addService(AuditServiceService, audit.handlers, AUDIT_ACCESS);
  const http = await createHttpApp(
    HealthModule.with({ checks: { database: () => database.$queryRaw`SELECT 1`, nats: () => bus.ping() } }),
    { logger },
  );
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  await audit.prepare();
  const running = audit.start();
  measureOutboxLag(() => running.outboxLagSeconds());
  measureConsumerLag('EVENTS', () => bus.backlog('EVENTS', 'audit'));
  measure('bravo_audit_alerts', 'Alerts raised so far, by kind.', ['kind'], async () =>
    (await audit.alertCounts()).map(({ kind, count }) => ({ value: count, labels: { kind } })),
  );
  measure('bravo_audit_rejections', 'Messages no log could take, not recorded since.', [], async () => [
    { value: await audit.openRejections() },
  ]);
  measure(
    'bravo_audit_leading',
    'Whether this process is the one that records: one over all of them is 1.',
    [],
    async () => [{ value: running.leading() ? 1 : 0 }],
  );
  measure(
    'bravo_audit_sink_failing_seconds',
    'How long the worst place for checkpoints has taken nothing.',
    [],
    async () => [{ value: Math.max(0, ...running.sinkLag().map(({ seconds }) => seconds)) }],
  );
  measureDeliveries(() => audit.deliveryLag());
  return {
    started: { grpc_port: grpcPort, http_port: httpPort },
    stop: async () => {
      await grpc.drain(DRAIN_MS);
      await http.close();
      await running.stop();
      await bus.close();
      await scanPool.end();
      await witnessPool?.end();
      await prunerPool?.end();
      await database.$disconnect();
    },
  };
});
