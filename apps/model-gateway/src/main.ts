/** Starts the model gateway: HTTP for pods and health, gRPC for the gateway. */
import 'reflect-metadata';
import {
  createGrpcClient,
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  listenHttp,
  peerReady,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { ConfigError, configureProcess, modelGatewaySettings } from '@bravo/config';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OpenAiErrorFilter } from './chat-completions/openai-error.http.ts';
import { createDatabase } from './databases/database.prisma.ts';
import { createGrpcHandlers, ModelGatewayModule } from './model-gateway.module.ts';
import { MODELS_ACCESS } from './models/models.grpc.ts';
import { chooseProvider } from './providers/choose-provider.ts';
import type { ModelProvider } from './providers/model-provider.port.ts';

/** A whole conversation with its tool results is one body. */
const BODY_LIMIT = 16 * 1024 * 1024;
const DRAIN_MS = 5_000;

const config = configureProcess('model-gateway', modelGatewaySettings);
const logger = createLogger('model-gateway', config.logLevel);
startTelemetry('model-gateway', config);

/** Whatever keeps a provider from being chosen is how it was configured. */
const describedProvider = (): ModelProvider => {
  try {
    return chooseProvider(config);
  } catch (error) {
    throw new ConfigError('model-gateway', [(error as Error).message]);
  }
};

await runProcess('model-gateway', logger, async () => {
  const provider = describedProvider();
  const database = createDatabase(config.databaseUrl);
  const signer = await createPrincipalSigner('models', config.serviceKeyFile);
  const identity = createGrpcClient(IdentityServiceService, {
    address: config.identityAddress,
    audience: 'identity',
    signer,
  });
  const now = (): Date => new Date();
  const readiness = { checks: { database: () => database.$queryRaw`SELECT 1`, identity: () => peerReady(identity) } };
  const grpc = createGrpcServer({
    service: 'models',
    verifier: createPrincipalVerifier('models', config.serviceKeysFile),
    logger,
  });
  grpc.addService(ModelsServiceService, createGrpcHandlers({ provider, database, now }), MODELS_ACCESS);
  const http = await createHttpApp(ModelGatewayModule.with({ provider, database, identity, readiness, logger, now }), {
    logger,
    bodyLimit: BODY_LIMIT,
  });
  http.useGlobalFilters(new OpenAiErrorFilter(logger));
  const grpcPort = await grpc.listen(config.host, config.grpcPort);
  const httpPort = await listenHttp(http, config.host, config.httpPort);
  return {
    started: { grpc_port: grpcPort, http_port: httpPort, provider: config.provider, model: provider.models[0].id },
    stop: async () => {
      await grpc.drain(DRAIN_MS);
      await http.close();
      identity.close();
      await database.$disconnect();
    },
  };
});
