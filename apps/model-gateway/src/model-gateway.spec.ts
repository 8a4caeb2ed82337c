/** The model gateway as it runs: real HTTP, real gRPC with signed principals, a real Postgres. Only identity's answers are written here. */
import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGrpcClient, createGrpcServer, createHttpApp, createLogger, createPrincipalSigner, createPrincipalVerifier, listenHttp } from '@bravo/chassis';
import type { GrpcServer, ServiceName } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { IdentityServiceService } from '@bravo/proto/identity';
import type { ResolveAgentTokenResponse } from '@bravo/proto/identity';
import { ModelsServiceService } from '@bravo/proto/models';
import { startTestPostgres, waitUntil } from '@bravo/testing';
import type { TestPostgres } from '@bravo/testing';
import type { INestApplication } from '@nestjs/common';
import { exportJWK, generateKeyPair } from 'jose';
import { OpenAiErrorFilter } from './chat-completions/openai-error.http.ts';
import { createDatabase } from './databases/database.prisma.ts';
import type { Database } from './databases/database.prisma.ts';
import { createGrpcHandlers, ModelGatewayModule } from './model-gateway.module.ts';
import { MODELS_ACCESS } from './models/models.grpc.ts';
import { createDemoProvider } from './providers/demo/demo-provider.ts';
import { ModelProviderError } from './providers/model-provider.port.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from './providers/model-provider.port.ts';

const directory = mkdtempSync(join(tmpdir(), 'bravo-model-gateway-'));
const keyFile = (name: string): string => join(directory, `${name}.json`);
const logger = createLogger('test', 'silent');
const demo = createDemoProvider({ wordDelayMs: 1 });
/** What the next call does; the demo planner unless a spec says otherwise. */
let behave: (request: ModelRequest) => AsyncIterable<ModelEvent> = demo.stream;
const provider: ModelProvider = { models: demo.models, stream: (request) => behave(request) };

let postgres: TestPostgres;
let database: Database;
let identityServer: GrpcServer;
let modelsServer: GrpcServer;
let http: INestApplication;
let url: string;
let modelsAddress: string;
const tokens = new Map<string, ResolveAgentTokenResponse>();
let resolved = 0;
const closers: (() => void)[] = [];

const bound = (workspace: string, more: Partial<ResolveAgentTokenResponse> = {}): ResolveAgentTokenResponse => ({
  userName: 'alice',
  workspaceSlug: 'acme',
  role: 'member',
  permissions: [],
  tokenId: 'tok_1',
  podId: 'pod_1',
  bound: true,
  userId: 'usr_alice',
  workspaceId: workspace,
  conversationId: 'cnv_1',
  expiresAt: new Date(Date.now() + 60_000),
  ...more,
});

const clientOf = async (service: ServiceName) =>
  createGrpcClient(ModelsServiceService, { address: modelsAddress, audience: 'models', signer: await createPrincipalSigner(service, keyFile(service)) });

beforeAll(async () => {
  const keys = await Promise.all(
    ['gateway', 'broker', 'models'].map(async (name) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      writeFileSync(keyFile(name), JSON.stringify(await exportJWK(privateKey)));
      return { ...(await exportJWK(publicKey)), kid: name, alg: 'ES256' };
    }),
  );
  writeFileSync(keyFile('jwks'), JSON.stringify({ keys }));
  postgres = await startTestPostgres({ app: 'model-gateway', schema: 'models' });
  database = createDatabase(postgres.url('models'));

  identityServer = createGrpcServer({ service: 'identity', verifier: createPrincipalVerifier('identity', keyFile('jwks')), logger });
  const resolveAgentToken = async ({ token }: { token: string }): Promise<ResolveAgentTokenResponse> => {
    resolved += 1;
    const found = tokens.get(token);
    if (!found) throw new Fault('unauthenticated', 'The token is not known.');
    return found;
  };
  const methods = Object.keys(IdentityServiceService) as (keyof typeof IdentityServiceService)[];
  const none = Object.fromEntries(methods.map((name) => [name, async () => Promise.reject(new Fault('not_implemented', 'not here'))]));
  const nobody = Object.fromEntries(methods.map((name) => [name, []]));
  identityServer.addService(
    IdentityServiceService,
    { ...none, resolveAgentToken } as unknown as Parameters<typeof identityServer.addService<typeof IdentityServiceService>>[1],
    { ...nobody, resolveAgentToken: ['models'] } as unknown as Parameters<typeof identityServer.addService<typeof IdentityServiceService>>[2],
  );
  const identityPort = await identityServer.listen('127.0.0.1', 0);
  const signer = await createPrincipalSigner('models', keyFile('models'));
  const identity = createGrpcClient(IdentityServiceService, { address: `127.0.0.1:${identityPort}`, audience: 'identity', signer });
  closers.push(() => identity.close());

  const now = (): Date => new Date();
  modelsServer = createGrpcServer({ service: 'models', verifier: createPrincipalVerifier('models', keyFile('jwks')), logger });
  modelsServer.addService(ModelsServiceService, createGrpcHandlers({ provider, database, now }), MODELS_ACCESS);
  modelsAddress = `127.0.0.1:${await modelsServer.listen('127.0.0.1', 0)}`;
  const readiness = { checks: { database: () => database.$queryRaw`SELECT 1` } };
  const app = await createHttpApp(ModelGatewayModule.with({ provider, database, identity, readiness, logger, now }), { logger });
  app.useGlobalFilters(new OpenAiErrorFilter(logger));
  http = app;
  url = `http://127.0.0.1:${await listenHttp(app, '127.0.0.1', 0)}`;
});

afterAll(async () => {
  await http?.close();
  for (const close of closers) close();
  await modelsServer?.drain(100);
  await identityServer?.drain(100);
  await database?.$disconnect();
  await postgres?.stop();
  rmSync(directory, { recursive: true, force: true });
});

let tokenNumber = 0;
/** A token nobody used before, so that no spec meets another's cache. */
const newToken = (answer: ResolveAgentTokenResponse): string => {
  const token = `bwt_bravo_${(tokenNumber += 1)}`;
  tokens.set(token, answer);
  return token;
};
const workspaceOf = (): string => `ws_${(tokenNumber += 1)}`;

const post = (token: string | undefined, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
const hello = { model: 'default', messages: [{ role: 'user', content: 'hello' }] };
const rowsOf = (workspaceId: string) => database.modelCall.findMany({ where: { workspaceId } });
const dataOf = (text: string): string[] => text.split('\n\n').flatMap((event) => (event.startsWith('data: ') ? [event.slice(6)] : []));

afterEach(() => {
  behave = demo.stream;
});

describe('chat completions', () => {
  it('streams chunks, ends with usage and [DONE], and keeps one row', async () => {
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), { ...hello, stream: true, stream_options: { include_usage: true } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/text\/event-stream/);
    const events = dataOf(await response.text());
    expect(events.at(-1)).toBe('[DONE]');
    const chunks = events.slice(0, -1).map((data) => JSON.parse(data) as { model: string; choices: { delta: { content?: string; role?: string }; finish_reason: string | null }[]; usage?: object });
    expect(chunks[0]).toMatchObject({ object: 'chat.completion.chunk', model: 'demo', choices: [{ delta: { role: 'assistant' } }] });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toMatch(/^\(demo planner\) Hello/);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number), total_tokens: expect.any(Number) } });
    const [row, ...more] = await rowsOf(workspace);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ userId: 'usr_alice', conversationId: 'cnv_1', podId: 'pod_1', model: 'demo', status: 'completed' });
    expect(row?.inputTokens).toBeGreaterThan(0);
    expect(row?.finishedAt).not.toBeNull();
  });

  it('answers as a whole, with a tool call', async () => {
    const tools = [{ type: 'function', function: { name: 'platform__list_files', parameters: { type: 'object', properties: { directory: {} } } } }];
    const response = await post(newToken(bound(workspaceOf())), { messages: [{ role: 'user', content: [{ type: 'text', text: 'list files in src' }] }], tools });
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'demo',
      choices: [{ finish_reason: 'tool_calls', message: { tool_calls: [{ type: 'function', function: { name: 'platform__list_files', arguments: '{"directory":"src"}' } }] } }],
      usage: { prompt_tokens: expect.any(Number) },
    });
  });

  it.each<[string, number, string, () => Promise<Response>]>([
    ['no token', 401, 'unauthenticated', () => post(undefined, hello)],
    ['an unknown token', 401, 'unauthenticated', () => post('bwt_bravo_unknown', hello)],
    ['an expired token', 401, 'unauthenticated', () => post(newToken(bound('ws_x', { expiresAt: new Date(Date.now() - 1) })), hello)],
    ['a token without an expiry', 401, 'unauthenticated', () => post(newToken({ ...bound('ws_x'), expiresAt: undefined }), hello)],
    ['a token bound to nobody', 403, 'token_unbound', () => post(newToken(bound('', { bound: false, userId: '', conversationId: '' })), hello)],
    ['a model that is not offered', 404, 'not_found', () => post(newToken(bound('ws_x')), { ...hello, model: 'gpt-99' })],
    ['no messages', 400, 'invalid_argument', () => post(newToken(bound('ws_x')), { model: 'default', messages: [] })],
    ['a picture', 400, 'invalid_argument', () => post(newToken(bound('ws_x')), { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] })],
    ['no body', 400, 'invalid_argument', () => post(newToken(bound('ws_x')), '')],
    ['a body that is not JSON', 400, 'invalid_argument', () => post(newToken(bound('ws_x')), '{')],
    ['an unknown route', 404, 'not_found', () => fetch(`${url}/v1/embeddings`)],
  ])('refuses %s in the OpenAI shape', async (_what, status, code, ask) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code, message: expect.any(String), type: expect.any(String) } });
  });

  it('answers with an error status when nothing was said before the failure', async () => {
    behave = async function* fail() {
      throw new ModelProviderError('unavailable', 'The model cannot be reached.');
    };
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), { ...hello, stream: true });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'model_unavailable', message: 'The model cannot be reached.' } });
    expect(await rowsOf(workspace)).toMatchObject([{ status: 'failed', failure: 'unavailable' }]);
  });

  it.each<[string, () => void]>([
    ['a thrown error', () => { throw new ModelProviderError('broken', 'It was cut off.'); }],
    ['a silent end', () => undefined],
  ])('ends a stream that is cut off by %s with an error and no [DONE]', async (_what, end) => {
    behave = async function* cut() {
      yield { type: 'text', delta: 'half an ' };
      end();
    };
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), { ...hello, stream: true });
    const events = dataOf(await response.text());
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[1] ?? '')).toMatchObject({ error: { code: 'model_failed', message: expect.stringMatching(/cut off/) } });
    expect(await rowsOf(workspace)).toMatchObject([{ status: 'failed', failure: 'broken', inputTokens: null }]);
  });

  it('does not tell the text of an unexpected error', async () => {
    behave = async function* fail() {
      throw new Error('secret detail');
    };
    const workspace = workspaceOf();
    const response = await post(newToken(bound(workspace)), hello);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/secret detail/);
    expect(await rowsOf(workspace)).toMatchObject([{ status: 'failed', failure: 'internal' }]);
  });

  it.each([true, false])('stops the provider when the client goes away (stream: %s)', async (stream) => {
    const stopped = new Promise<void>((resolve) => {
      behave = async function* endless({ signal }) {
        signal.addEventListener('abort', () => resolve(), { once: true });
        yield { type: 'text', delta: 'one ' };
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
      };
    });
    const workspace = workspaceOf();
    const gone = new AbortController();
    const asked = post(newToken(bound(workspace)), { ...hello, stream }, gone.signal).then((response) => response.text());
    await waitUntil('the call to be in the ledger', async () => (await rowsOf(workspace)).length === 1);
    gone.abort();
    await expect(asked).rejects.toThrow();
    await stopped;
    await waitUntil('the call to end as cancelled', async () => (await rowsOf(workspace))[0]?.status === 'cancelled');
  });

  it('makes no call that the ledger does not hold', async () => {
    let asked = false;
    behave = (request) => {
      asked = true;
      return demo.stream(request);
    };
    await database.$executeRaw`ALTER TABLE models.model_calls RENAME TO model_calls_away`;
    try {
      const response = await post(newToken(bound(workspaceOf())), hello);
      expect(response.status).toBe(500);
      expect(asked).toBe(false);
    } finally {
      await database.$executeRaw`ALTER TABLE models.model_calls_away RENAME TO model_calls`;
    }
  });

  it('keeps what identity said for less than a second, and never a refusal', async () => {
    const token = newToken(bound(workspaceOf()));
    const before = resolved;
    expect((await post(token, hello)).status).toBe(200);
    expect((await post(token, hello)).status).toBe(200);
    expect(resolved).toBe(before + 1);
    tokens.delete(token);
    await waitUntil('the revoked token to be refused', async () => (await post(token, hello)).status === 401, { timeoutMs: 1_500 });
    tokens.set(token, bound(workspaceOf()));
    expect((await post(token, hello)).status).toBe(200);
  });
});

describe('models', () => {
  it('are listed for pods, with a token only', async () => {
    expect((await fetch(`${url}/v1/models`)).status).toBe(401);
    const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${newToken(bound('ws_x'))}` } });
    expect(await response.json()).toEqual({ object: 'list', data: [{ id: 'demo', object: 'model', created: 0, owned_by: 'demo' }] });
  });

  it('are listed for the gateway and for no other service', async () => {
    const gateway = await clientOf('gateway');
    closers.push(() => gateway.close());
    expect(await gateway.listModels({})).toMatchObject({ models: [{ id: 'demo', demo: true }], defaultModel: 'demo' });
    const broker = await clientOf('broker');
    closers.push(() => broker.close());
    await expect(broker.listModels({})).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

describe('usage', () => {
  it('is told by day, user and model, of the own workspace only', async () => {
    const [mine, other] = [workspaceOf(), workspaceOf()];
    for (const token of [newToken(bound(mine)), newToken(bound(mine, { userId: 'usr_bob' })), newToken(bound(other))]) {
      expect((await post(token, hello)).status).toBe(200);
    }
    expect((await post(newToken(bound(mine)), hello)).status).toBe(200);
    const gateway = await clientOf('gateway');
    closers.push(() => gateway.close());
    const { rows } = await gateway.listTokenUsage({ from: undefined, to: undefined }, { subject: { userId: 'usr_alice', workspaceId: mine } });
    expect(rows).toMatchObject([
      { userId: 'usr_alice', model: 'demo', requests: 2, day: new Date().toISOString().slice(0, 10) },
      { userId: 'usr_bob', model: 'demo', requests: 1 },
    ]);
    expect(rows[0]?.inputTokens).toBeGreaterThan(0);
    const past = { from: new Date('2020-01-01'), to: new Date('2020-02-01') };
    expect(await gateway.listTokenUsage(past, { subject: { userId: 'usr_alice', workspaceId: mine } })).toEqual({ rows: [] });
    await expect(gateway.listTokenUsage(past)).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(gateway.listTokenUsage({ from: past.to, to: past.from }, { subject: { userId: 'u', workspaceId: mine } })).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('health', () => {
  it('is told without a token, and problems elsewhere keep their own shape', async () => {
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok', checks: { database: 'ok' } });
    const response = await fetch(`${url}/nothing`);
    expect(response.headers.get('content-type')).toMatch(/problem\+json/);
  });
});
