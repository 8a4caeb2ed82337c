/** Starts automation: the consumer of every event, gRPC for the gateway, HTTP for health, letters where the operator has e-mail. */
import 'reflect-metadata';
import {
  createGrpcClient,
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  createTicketSigner,
  HealthModule,
  listenHttp,
  measure,
  measureConsumerLag,
  readCertificates,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { automationSettings, configureProcess } from '@bravo/config';
import { connectNatsBus } from '@bravo/events/nats';
import { AutomationServiceService } from '@bravo/proto/automation';
import { IdentityServiceService } from '@bravo/proto/identity';
import { AUTOMATION_ACCESS } from './access.grpc.ts';
import { createAutomation } from './automation.module.ts';
import { createDatabase } from './databases/database.prisma.ts';
import { readServiceKey } from './deliveries/read-service-key.client.ts';
import { createWebhookChannel } from './deliveries/webhook-channel.client.ts';
import { createSmtpChannel } from './deliveries/smtp/smtp-channel.ts';

const DRAIN_MS = 5_000;

const config = configureProcess('automation', automationSettings);
const logger = createLogger('automation', config.logLevel);
startTelemetry('automation', config);

await runProcess('automation', logger, async () => {
  const database = createDatabase(config.databaseUrl);
  await database.$queryRaw`SELECT 1`;
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'automation',
  });
  await bus.ensureStreams(['EVENTS']);
  const signer = await createPrincipalSigner('automation', config.serviceKeyFile);
  const identity = createGrpcClient(IdentityServiceService, {
    address: config.identityAddress,
    audience: 'identity',
    signer,
  });
  const email =
    config.smtpUrl === ''
      ? undefined
      : createSmtpChannel({ url: config.smtpUrl, from: config.smtpFrom, plain: config.smtpPlain });
  const automation = createAutomation({
    database,
    bus,
    identity,
    email,
    calls: createWebhookChannel({
      address: config.egressAddress,
      sign: await createTicketSigner('automation', config.serviceKeyFile),
      certificates: readCertificates(config.outboundCertificates),
    }),
    serviceKey: readServiceKey(config.serviceKeyFile),
    publicUrl: config.publicUrl,
    longTurnMs: config.longTurnSeconds * 1_000,
    logger,
  });
  const grpc = createGrpcServer({
    service: 'automation',
    verifier: createPrincipalVerifier('automation', config.serviceKeysFile),
    logger,
  });
  grpc.addService(AutomationServiceService, automation.handlers, AUTOMATION_ACCESS);
  const http = await createHttpApp(
    HealthModule.with({ checks: { database: () => database.$queryRaw`SELECT 1`, nats: () => bus.ping() } }),
    { logger },
  );
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  const running = automation.start();
  measureConsumerLag('EVENTS', () => bus.backlog('EVENTS', 'automation'));
  measure('bravo_letters_due', 'Letters and calls of webhooks that are due and not sent.', [], async () => [
    { value: await automation.lettersDue() },
  ]);
  return {
    started: { grpc_port: grpcPort, http_port: httpPort, email: email === undefined ? 'no' : 'yes' },
    stop: async () => {
      await grpc.drain(DRAIN_MS);
      await http.close();
      await running.stop();
      email?.close();
      await bus.close();
      identity.close();
      await database.$disconnect();
    },
  };
});
