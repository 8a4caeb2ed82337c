/** The gateway over a real identity, Postgres and NATS, with small real gRPC servers in the other services' places; for specs only. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import {
  createGrpcClient,
  createGrpcServer,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  type GrpcServer,
  listenHttp,
  type ServiceName,
} from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import { connectNatsBus } from '@bravo/events/nats';
import { AuditServiceService } from '@bravo/proto/audit';
import { AutomationServiceService } from '@bravo/proto/automation';
import { BrokerServiceService } from '@bravo/proto/broker';
import { IdentityServiceService } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { startTestNats, startTestPostgres } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { IDENTITY_ACCESS } from '../../identity/src/access.grpc.ts';
import { createDatabase } from '../../identity/src/databases/database.prisma.ts';
import { createIdentity } from '../../identity/src/identity.module.ts';
import { createCallerDirectory } from './callers/caller-directory.client.ts';
import { createGatewayApp } from './http-app.module.ts';
import { StandIns } from './stand-ins.fixture.ts';
import { toWebFile } from './web-pages/web-page.ts';

const SERVICES: readonly ServiceName[] = [
  'gateway',
  'identity',
  'orchestrator',
  'broker',
  'models',
  'audit',
  'automation',
  'operator',
];

export interface GatewayUnderTest {
  readonly url: string;
  /** A second process's worth of gateway over the same services. */
  readonly otherUrl: string;
  readonly bus: Bus;
  readonly standIns: StandIns;
  readonly tokens: Readonly<Record<string, string>>;
  mintToken(name: string, workspace: string, scopes: string[]): Promise<string>;
  stopIdentity(): Promise<void>;
}

export const useGateway = (): GatewayUnderTest => {
  const test = { tokens: {} } as { -readonly [K in keyof GatewayUnderTest]: GatewayUnderTest[K] };
  const undo: (() => Promise<unknown> | void)[] = [];

  beforeAll(async () => {
    const keys = mkdtempSync(path.join(tmpdir(), 'bravo-gateway-keys-'));
    undo.push(() => rmSync(keys, { recursive: true, force: true }));
    const jwks: unknown[] = [];
    for (const service of SERVICES) {
      const pair = await generateKeyPair('ES256', { extractable: true });
      writeFileSync(path.join(keys, service), JSON.stringify(await exportJWK(pair.privateKey)));
      jwks.push({ ...(await exportJWK(pair.publicKey)), kid: service, alg: 'ES256' });
    }
    writeFileSync(path.join(keys, 'all'), JSON.stringify({ keys: jwks }));
    const logger = createLogger('gateway', 'silent');

    const [postgres, nats] = await Promise.all([
      startTestPostgres({ app: 'identity', schema: 'identity' }),
      startTestNats(),
    ]);
    undo.push(
      () => postgres.stop(),
      () => nats.stop(),
    );
    const bus = await connectNatsBus({ url: nats.url, user: nats.user, password: nats.password, name: 'gateway-spec' });
    undo.push(() => bus.close());
    await bus.ensureStreams(['TURNS']);
    test.bus = bus;

    const database = createDatabase(postgres.url('identity'));
    undo.push(() => database.$disconnect());
    const identity = await createIdentity({
      database,
      bus,
      logger,
      schema: 'identity',
      production: false,
      sessionTtlSeconds: 3600,
      agentTokenTtlSeconds: 600,
      instanceFeatures: [],
      sealingKey: randomBytes(32),
      now: () => new Date(),
    });
    await identity.seedDemo();

    const serverOf = (service: ServiceName): GrpcServer => {
      const verifier = createPrincipalVerifier(service, path.join(keys, 'all'));
      const server = createGrpcServer({ service, verifier, logger });
      undo.push(() => server.drain(200));
      return server;
    };
    const listen = async (server: GrpcServer): Promise<string> => `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
    const identityServer = serverOf('identity');
    identityServer.addService(IdentityServiceService, identity.handlers, IDENTITY_ACCESS);
    test.stopIdentity = () => identityServer.drain(0);
    test.standIns = new StandIns(bus);
    const [orchestratorServer, brokerServer, modelsServer, auditServer, automationServer] = (
      ['orchestrator', 'broker', 'models', 'audit', 'automation'] as const
    ).map(serverOf);
    test.standIns.addTo({
      orchestratorServer: orchestratorServer!,
      brokerServer: brokerServer!,
      modelsServer: modelsServer!,
      auditServer: auditServer!,
    });

    const signer = await createPrincipalSigner('gateway', path.join(keys, 'gateway'));
    const clientOf = async <S extends object>(definition: S, audience: ServiceName, server: GrpcServer) => {
      const client = createGrpcClient(definition, { address: await listen(server), audience, signer });
      undo.push(() => client.close());
      return client;
    };
    const identityAddress = await listen(identityServer);
    const identityClient = createGrpcClient(IdentityServiceService, {
      address: identityAddress,
      audience: 'identity',
      signer,
    });
    undo.push(() => identityClient.close());
    const clients = {
      identity: identityClient,
      orchestrator: await clientOf(OrchestratorServiceService, 'orchestrator', orchestratorServer!),
      broker: await clientOf(BrokerServiceService, 'broker', brokerServer!),
      models: await clientOf(ModelsServiceService, 'models', modelsServer!),
      audit: await clientOf(AuditServiceService, 'audit', auditServer!),
      // No spec asks it: its own and the journey do.
      automation: await clientOf(AutomationServiceService, 'automation', automationServer!),
    };

    const startGateway = async (): Promise<string> => {
      const directory = createCallerDirectory({
        identity: clients.identity,
        listen: (subject, handle) => bus.listen(subject, handle),
        now: () => performance.now(),
      });
      const app = await createGatewayApp({
        ...clients,
        directory,
        bus,
        readiness: { checks: { nats: () => bus.ping() } },
        publicUrl: 'http://127.0.0.1:1',
        heartbeatMs: 150,
        warnings: [],
        webFiles: new Map([
          ['/index.html', toWebFile('/index.html', Buffer.from('<!doctype html><title>page</title>'))],
          ['/assets/app-1.js', toWebFile('/assets/app-1.js', Buffer.from('export {}'))],
        ]),
        logger,
      });
      undo.push(async () => {
        await app.close();
        directory.stop();
      });
      return `http://127.0.0.1:${await listenHttp(app, '127.0.0.1', 0)}`;
    };
    test.url = await startGateway();
    test.otherUrl = await startGateway();

    const operator = createGrpcClient(IdentityServiceService, {
      address: identityAddress,
      audience: 'identity',
      signer: await createPrincipalSigner('operator', path.join(keys, 'operator')),
    });
    undo.push(() => operator.close());
    test.mintToken = async (userName, workspaceSlug, scopes) =>
      (await operator.mintApiToken({ userId: '', userName, workspaceSlug, label: 'spec', scopes, ttlSeconds: 600 }))
        .token;
    for (const [name, workspace] of [
      ['alice', 'acme'],
      ['bob', 'acme'],
      ['carol', 'globex'],
    ] as const) {
      (test.tokens as Record<string, string>)[name] = await test.mintToken(name, workspace, []);
    }
  }, 90_000);

  afterAll(async () => {
    for (const step of undo.reverse()) await step();
  });
  return test;
};
