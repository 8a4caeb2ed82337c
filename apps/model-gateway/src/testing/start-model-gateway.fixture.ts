/** The model gateway for its specs, as it runs: real HTTP, real gRPC with signed principals, a real Postgres. Only identity's answers are written here. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createGrpcClient,
  createGrpcServer,
  createHttpApp,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  listenHttp,
  peerReady,
} from '@bravo/chassis';
import type { AccessTable, GrpcClient, Handlers, ServiceName } from '@bravo/chassis';
import type { UncheckedTurnEvent } from '@bravo/events';
import { Fault } from '@bravo/faults';
import { IdentityServiceService } from '@bravo/proto/identity';
import type { ResolveAgentTokenResponse } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { startTestPostgres } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { OpenAiErrorFilter } from '../chat-completions/openai-error.http.ts';
import { createDatabase } from '../databases/database.prisma.ts';
import type { Database } from '../databases/database.prisma.ts';
import {
  createModelGateway,
  type ModelGateway,
  ModelGatewayModule,
  type ModelGatewayPolicy,
} from '../model-gateway.module.ts';
import { MODELS_ACCESS } from '../models/models.grpc.ts';
import { PATIENCE } from '../attempts/patience.ts';
import { createDemoProvider, DEMO_MODEL } from '../providers/demo/demo-provider.ts';
import type { ModelProvider } from '../providers/model-provider.port.ts';
import type { OpenSocketFor } from '../providers/open-socket.ts';
import { straightSocket } from '../providers/straight-socket.fixture.ts';
import { resolveAsIdentity } from './resolve-as-identity.fixture.ts';

export interface RunningModelGateway {
  readonly url: string;
  readonly database: Database;
  /** What the next calls do; the demo planner unless a spec says otherwise. */
  behave: ModelProvider['stream'];
  readonly demo: ModelProvider;
  /** What identity says of each token; a token without an entry is unknown. */
  readonly tokens: Map<string, ResolveAgentTokenResponse>;
  /** How often identity was asked whom a token speaks for. */
  resolved: number;
  /** Documents by layer, by `user/<id>` and by `conversation/<id>`. */
  readonly settings: Map<string, object>;
  /** Sealed secrets by `<workspace>/<name>`. */
  readonly secrets: Map<string, string>;
  plan: string;
  /** What was said in the streams of conversations. */
  readonly told: (UncheckedTurnEvent & { readonly conversationId: string })[];
  readonly gateway: ModelGateway;
  /** What only the schema's owner may do, as taking a table away. */
  asOwner(sql: string): Promise<void>;
  clientOf(service: ServiceName): Promise<GrpcClient<typeof ModelsServiceService>>;
  stop(): Promise<void>;
}

/** A bound token's answer. */
export const bound = (
  workspaceId: string,
  more: Partial<ResolveAgentTokenResponse> = {},
): ResolveAgentTokenResponse => ({
  tokenId: 'tok_1',
  podId: 'pod_1',
  bound: true,
  userId: 'usr_alice',
  rootConversationId: '',
  userName: 'alice',
  workspaceId,
  workspaceSlug: 'acme',
  conversationId: 'cnv_1',
  role: 'member',
  permissions: [],
  expiresAt: new Date(Date.now() + 60_000),
  ...more,
});

const POLICY: ModelGatewayPolicy = {
  patience: PATIENCE,
  connectMs: 2_000,
  fallback: '',
  keys: new Map(),
  priceOf: () => undefined,
  planCredits: (plan) => ({ team: 8_000_000, enterprise: 'unlimited' as const })[plan] ?? 0,
  trialCredits: 0,
  answerTokens: 1_000,
  contextTokens: 131_072,
  callsAtOnce: 100,
  callsPerMinute: 6_000,
};

/** `model`: what the one model is listed as, where a spec wants no demo planner. */
export async function startModelGateway(
  over: Partial<ModelGatewayPolicy> = {},
  model: Partial<typeof DEMO_MODEL> = {},
  openSocketFor: OpenSocketFor = () => straightSocket,
): Promise<RunningModelGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'bravo-model-gateway-'));
  const keyFile = (name: string): string => join(directory, `${name}.json`);
  const logger = createLogger('test', 'silent');
  await writeKeys(keyFile, ['gateway', 'broker', 'models', 'operator', 'orchestrator']);
  const postgres = await startTestPostgres({ app: 'model-gateway', schema: 'models' });
  const database = createDatabase(postgres.url('models'));
  const demo = createDemoProvider({ wordDelayMs: 1 });
  const running = {
    behave: demo.stream,
    resolved: 0,
    plan: 'team',
    tokens: new Map<string, ResolveAgentTokenResponse>(),
    settings: new Map<string, object>(),
    secrets: new Map<string, string>(),
    told: [] as RunningModelGateway['told'],
  };
  const provider: ModelProvider = { ...demo, stream: (request) => running.behave(request) };

  const identityServer = createGrpcServer({
    service: 'identity',
    verifier: createPrincipalVerifier('identity', keyFile('jwks')),
    logger,
  });
  const methods = Object.keys(IdentityServiceService);
  const none = Object.fromEntries(
    methods.map((name) => [name, () => Promise.reject(new Fault('not_implemented', 'not here'))]),
  );
  const nobody = Object.fromEntries(methods.map((name) => [name, []]));
  const resolveAgentToken = async ({ token }: { token: string }): Promise<ResolveAgentTokenResponse> => {
    running.resolved += 1;
    const found = running.tokens.get(token);
    if (!found) throw new Fault('unauthenticated', 'The token is not known.');
    return found;
  };
  const resolveFeatures = async () => ({ plan: running.plan, features: [] });
  const documentOf = (layer: string, userId: string, conversationId = ''): string => {
    const owner = { user: `/${userId}`, conversation: `/${conversationId}` }[layer] ?? '';
    return JSON.stringify(running.settings.get(`${layer}${owner}`) ?? {});
  };
  const listSettings = async (asked: { userId: string; conversationId?: string | undefined }) => {
    const names = ['platform', 'workspace', 'user', ...(asked.conversationId === undefined ? [] : ['conversation'])];
    const documentJsonOf = (layer: string): string => documentOf(layer, asked.userId, asked.conversationId);
    return { layers: names.map((layer) => ({ layer, documentJson: documentJsonOf(layer), version: 1 })) };
  };
  const resolve = async ({ userId, conversationId }: { userId: string; conversationId: string }) => {
    const layers = ['platform', 'workspace', 'user', 'conversation'];
    return resolveAsIdentity(layers.map((layer) => ({ layer, text: documentOf(layer, userId, conversationId) })));
  };
  const revealSecret = async ({ workspaceId, name }: { workspaceId: string; name: string }) => {
    const value = running.secrets.get(`${workspaceId}/${name}`);
    if (value === undefined) throw new Fault('not_found', 'There is no such secret.');
    return { value };
  };
  const answered = { resolveAgentToken, resolveFeatures, resolveProviders: resolve, listSettings, revealSecret };
  const access = Object.fromEntries(Object.keys(answered).map((name) => [name, ['models']]));
  identityServer.addService(
    IdentityServiceService,
    { ...none, ...answered } as unknown as Handlers<typeof IdentityServiceService>,
    { ...nobody, ...access } as unknown as AccessTable<typeof IdentityServiceService>,
  );
  const identity = createGrpcClient(IdentityServiceService, {
    address: `127.0.0.1:${await identityServer.listen('127.0.0.1', 0)}`,
    audience: 'identity',
    signer: await createPrincipalSigner('models', keyFile('models')),
  });

  const now = (): Date => new Date();
  const modelsServer = createGrpcServer({
    service: 'models',
    verifier: createPrincipalVerifier('models', keyFile('jwks')),
    logger,
  });
  const own = { provider, models: [{ ...DEMO_MODEL, ...model }], bare: true };
  const gateway = createModelGateway({
    ...{ own, policy: { ...POLICY, ...over }, database, identity, logger, now },
    openSocketFor,
    tellTurn: async (_workspace, conversationId, event) => void running.told.push({ conversationId, ...event }),
  });
  modelsServer.addService(ModelsServiceService, gateway.handlers, MODELS_ACCESS);
  const modelsAddress = `127.0.0.1:${await modelsServer.listen('127.0.0.1', 0)}`;
  const readiness = { checks: { database: () => database.$queryRaw`SELECT 1`, identity: () => peerReady(identity) } };
  const app = await createHttpApp(ModelGatewayModule.with(gateway, readiness, logger), {
    logger,
    bodyLimit: 16 * 1024 * 1024,
  });
  app.useGlobalFilters(new OpenAiErrorFilter(logger));
  const url = `http://127.0.0.1:${await listenHttp(app, '127.0.0.1', 0)}`;
  const clients: { close(): void }[] = [identity];

  return Object.assign(running, {
    url,
    database,
    demo,
    gateway,
    asOwner: (sql: string) => postgres.asOwner('models', sql),
    clientOf: async (service: ServiceName) => {
      const signer = await createPrincipalSigner(service, keyFile(service));
      const client = createGrpcClient(ModelsServiceService, { address: modelsAddress, audience: 'models', signer });
      clients.push(client);
      return client;
    },
    stop: async () => {
      await app.close();
      await gateway.close();
      for (const client of clients) client.close();
      await modelsServer.drain(100);
      await identityServer.drain(100);
      await database.$disconnect();
      await postgres.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

async function writeKeys(keyFile: (name: string) => string, names: readonly string[]): Promise<void> {
  const keys = await Promise.all(
    names.map(async (name) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      writeFileSync(keyFile(name), JSON.stringify(await exportJWK(privateKey)));
      return { ...(await exportJWK(publicKey)), kid: name, alg: 'ES256' };
    }),
  );
  writeFileSync(keyFile('jwks'), JSON.stringify({ keys }));
}
