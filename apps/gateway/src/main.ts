/** Starts the gateway: HTTP for people, clients of the services behind it, and the turn stream. */
import 'reflect-metadata';
import {
  createGrpcClient,
  createLogger,
  createPrincipalSigner,
  listenHttp,
  peerReady,
  runProcess,
  startTelemetry,
} from '@bravo/chassis';
import { configureProcess, gatewaySettings, POD_USERS } from '@bravo/config';
import { connectNatsBus } from '@bravo/events/nats';
import { AuditServiceService } from '@bravo/proto/audit';
import { AutomationServiceService } from '@bravo/proto/automation';
import { BrokerServiceService } from '@bravo/proto/broker';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { createCallerDirectory } from './callers/caller-directory.client.ts';
import { createGatewayApp } from './http-app.module.ts';
import { readKernelSockets, refusePodPeers } from './peers/refuse-pod-peers.client.ts';
import { readWebDirectory } from './web-pages/read-web-directory.client.ts';

const config = configureProcess('gateway', gatewaySettings);
const logger = createLogger('gateway', config.logLevel);
startTelemetry('gateway', config);

await runProcess('gateway', logger, async () => {
  const signer = await createPrincipalSigner('gateway', config.serviceKeyFile);
  const bus = await connectNatsBus({
    url: config.natsUrl,
    user: config.natsUser,
    password: config.natsPassword,
    name: 'gateway',
  });
  await bus.ensureStreams(['TURNS']);
  const identity = createGrpcClient(IdentityServiceService, {
    address: config.identityAddress,
    audience: 'identity',
    signer,
  });
  const orchestrator = createGrpcClient(OrchestratorServiceService, {
    address: config.orchestratorAddress,
    audience: 'orchestrator',
    signer,
  });
  const broker = createGrpcClient(BrokerServiceService, { address: config.brokerAddress, audience: 'broker', signer });
  const models = createGrpcClient(ModelsServiceService, { address: config.modelsAddress, audience: 'models', signer });
  const audit = createGrpcClient(AuditServiceService, { address: config.auditAddress, audience: 'audit', signer });
  const automation = createGrpcClient(AutomationServiceService, {
    address: config.automationAddress,
    audience: 'automation',
    signer,
  });
  const directory = createCallerDirectory({
    identity,
    listen: (subject, handle) => bus.listen(subject, handle),
    now: () => performance.now(),
  });
  const app = await createGatewayApp({
    identity,
    orchestrator,
    broker,
    models,
    audit,
    automation,
    directory,
    bus,
    readiness: { checks: { nats: () => bus.ping(), identity: () => peerReady(identity) } },
    publicUrl: config.publicUrl,
    heartbeatMs: config.heartbeatSeconds * 1000,
    warnings: config.insecurePods
      ? ['Agent pods may run without containment on this machine. Use it for evaluation only.']
      : [],
    webFiles: readWebDirectory(config.webDirectory),
    logger,
  });
  refusePodPeers(app.getHttpServer(), {
    users: { first: config.podFirstUid, count: POD_USERS },
    readSockets: readKernelSockets,
    refused: (uid) => logger.warn({ uid }, 'an agent pod called the gateway; the connection was cut'),
  });
  const port = await listenHttp(app, config.host, config.httpPort);
  return {
    started: { http_port: port, public_url: config.publicUrl },
    stop: async () => {
      await app.close();
      directory.stop();
      for (const client of [identity, orchestrator, broker, models, audit, automation]) client.close();
      await bus.close();
    },
  };
});
