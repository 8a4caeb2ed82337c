/** Starts the model gateway: HTTP for pods and health, gRPC for the other services, the relay of its outbox and the charging of pods. */
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
  measureConsumerLag,
  measureOutboxLag,
  peerReady,
  readCertificates,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { ConfigError, configureProcess, modelGatewaySettings } from '@bravo/config';
import { publishTurnEvent, startOutboxRelay } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { PATIENCE } from './attempts/patience.ts';
import { OpenAiErrorFilter } from './chat-completions/openai-error.http.ts';
import { createDatabase } from './databases/database.prisma.ts';
import { createModelGateway, ModelGatewayModule, type ModelGatewayPolicy } from './model-gateway.module.ts';
import { MODELS_ACCESS } from './models/models.grpc.ts';
import { readKeys } from './providers/make-provider.ts';
import { createOpenSocketFor } from './providers/open-socket.client.ts';
import { makeOwnService } from './providers/own-service.ts';
import { consumePodEnds } from './quotas/charge-container.consumer.ts';
import { readPlanCredits } from './quotas/credits.ts';
import { readPrices } from './quotas/prices.ts';

const SCHEMA = 'models';
/** A whole conversation with its tool results is one body. */
const BODY_LIMIT = 16 * 1024 * 1024;
const DRAIN_MS = 5_000;

const config = configureProcess('model-gateway', modelGatewaySettings);
const logger = createLogger('model-gateway', config.logLevel);
startTelemetry('model-gateway', config);

/** Whatever keeps it from being read is how it was configured. */
const described = <T>(read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new ConfigError('model-gateway', [(error as Error).message]);
  }
};

const readPolicy = (): ModelGatewayPolicy => ({
  patience: { ...PATIENCE, firstTokenMs: config.firstTokenSeconds * 1_000, idleMs: config.idleSeconds * 1_000 },
  connectMs: config.connectSeconds * 1_000,
  fallback: config.modelFallback,
  keys: readKeys(config.modelKeys),
  priceOf: readPrices(config.prices),
  planCredits: readPlanCredits(config.planCredits),
  trialCredits: config.trialCredits,
  answerTokens: config.answerTokens,
  contextTokens: config.contextTokens,
  callsAtOnce: config.callsAtOnce,
  callsPerMinute: config.callsPerMinute,
});

await runProcess('model-gateway', logger, async () => {
  const policy = described(readPolicy);
  const openSocketFor = createOpenSocketFor({
    address: config.egressAddress,
    sign: await createTicketSigner('models', config.serviceKeyFile),
    certificates: described(() => readCertificates(config.outboundCertificates)),
  });
  const own = described(() =>
    makeOwnService(
      { ...config, provider: config.model === '' ? config.provider : config.model },
      { ...policy, openSocketFor },
    ),
  );
  const database = createDatabase(config.databaseUrl);
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'models',
  });
  await bus.ensureStreams(['EVENTS']);
  const signer = await createPrincipalSigner('models', config.serviceKeyFile);
  const identity = createGrpcClient(IdentityServiceService, {
    address: config.identityAddress,
    audience: 'identity',
    signer,
  });
  const now = (): Date => new Date();
  const gateway = createModelGateway({
    ...{ own, policy, database, identity, openSocketFor, logger, now },
    tellTurn: (...told) => publishTurnEvent(bus, ...told),
  });
  const relay = startOutboxRelay({ database, schema: SCHEMA, bus, logger });
  measureOutboxLag(() => relay.lagSeconds());
  const log = (message: string, about: Readonly<Record<string, unknown>>): void => logger.warn({ ...about }, message);
  const podEnds = consumePodEnds({ bus, charge: gateway.chargeContainer, log });
  measureConsumerLag('EVENTS', () => bus.backlog('EVENTS', 'models'));
  const rounds = gateway.start();
  const grpc = createGrpcServer({
    service: 'models',
    verifier: createPrincipalVerifier('models', config.serviceKeysFile),
    logger,
  });
  grpc.addService(ModelsServiceService, gateway.handlers, MODELS_ACCESS);
  const readiness = {
    checks: {
      database: () => database.$queryRaw`SELECT 1`,
      identity: () => peerReady(identity),
      nats: () => bus.ping(),
    },
  };
  const http = await createHttpApp(ModelGatewayModule.with(gateway, readiness, logger), {
    logger,
    bodyLimit: BODY_LIMIT,
  });
  http.useGlobalFilters(new OpenAiErrorFilter(logger));
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  return {
    started: { grpc_port: grpcPort, http_port: httpPort, provider: own.provider.id, model: own.models[0]?.name ?? '' },
    stop: async () => {
      await grpc.drain(DRAIN_MS);
      await http.close();
      await rounds.stop();
      await podEnds.stop();
      await relay.stop();
      await gateway.close();
      await bus.close();
      identity.close();
      await database.$disconnect();
    },
  };
});
