/** Identity behind its real gRPC server, on a real PostgreSQL, called with signed principals as the other services call it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createGrpcClient,
  createGrpcServer,
  createLogger,
  createPrincipalSigner,
  createPrincipalVerifier,
  type GrpcClient,
  type GrpcServer,
  type ServiceName,
  type Subject,
} from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { IdentityServiceService } from '@bravo/proto/identity';
import { startTestPostgres, type TestPostgres } from '@bravo/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { IDENTITY_ACCESS } from './access.grpc.ts';
import { createDatabase, type Database } from './databases/database.prisma.ts';
import { createIdentity, type Identity } from './identity.module.ts';

type Client = GrpcClient<typeof IdentityServiceService>;
const SERVICES: readonly ServiceName[] = ['gateway', 'orchestrator', 'broker', 'models', 'operator', 'audit'];

let postgres: TestPostgres;
let database: Database;
let identity: Identity;
let server: GrpcServer;
let keys: string;
let clock = Date.now();
const announced: { subject: string; body: unknown }[] = [];
const as = {} as Record<ServiceName, Client>;
const people: Record<string, { id: string; ws: string }> = {};

/** A person's call through the gateway, with what their session gives. */
const through = (name: string, permissions: readonly string[] = ['workspace:configure']): { subject: Subject } => ({
  subject: { userId: people[name]!.id, workspaceId: people[name]!.ws, permissions },
});

const fails = async (call: Promise<unknown>, code: string, detail?: RegExp): Promise<Fault> => {
  const fault = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(Fault);
  expect((fault as Fault).code).toBe(code);
  if (detail) expect((fault as Fault).detail).toMatch(detail);
  return fault as Fault;
};

const assemble = (options: { production?: boolean } = {}): Promise<Identity> =>
  createIdentity({
    database,
    bus: { announce: (subject, body) => announced.push({ subject, body: JSON.parse(body) }) },
    logger: createLogger('identity', 'silent'),
    schema: 'identity',
    production: options.production ?? false,
    sessionTtlSeconds: 3600,
    agentTokenTtlSeconds: 600,
    instanceFeatures: [],
    sealingKey: randomBytes(32),
    now: () => new Date(clock),
  });

const events = async (type: string): Promise<Record<string, unknown>[]> =>
  (await database.outbox.findMany({ orderBy: { id: 'asc' } }))
    .map((row) => JSON.parse(row.body) as Record<string, unknown>)
    .filter((event) => event['type'] === type);

beforeAll(async () => {
  postgres = await startTestPostgres({ app: 'identity', schema: 'identity' });
  database = createDatabase(postgres.url('identity'));
  identity = await assemble();
  keys = mkdtempSync(path.join(tmpdir(), 'bravo-identity-keys-'));
  const jwks: unknown[] = [];
  for (const service of SERVICES) {
    const pair = await generateKeyPair('ES256', { extractable: true });
    writeFileSync(path.join(keys, service), JSON.stringify(await exportJWK(pair.privateKey)));
    jwks.push({ ...(await exportJWK(pair.publicKey)), kid: service, alg: 'ES256' });
  }
  writeFileSync(path.join(keys, 'all'), JSON.stringify({ keys: jwks }));
  const verifier = createPrincipalVerifier('identity', path.join(keys, 'all'));
  server = createGrpcServer({ service: 'identity', verifier, logger: createLogger('identity', 'silent') });
  server.addService(IdentityServiceService, identity.handlers, IDENTITY_ACCESS);
  const port = await server.listen('127.0.0.1', 0);
  for (const service of SERVICES) {
    as[service] = createGrpcClient(IdentityServiceService, {
      address: `127.0.0.1:${port}`,
      audience: 'identity',
      signer: await createPrincipalSigner(service, path.join(keys, service)),
    });
  }
  expect(await identity.seedDemo()).toBe(true);
  for (const name of ['alice', 'bob', 'carol']) {
    const { person, memberships } = await as.gateway.signIn({ name });
    people[name] = { id: person!.id, ws: memberships[0]!.workspaceId };
  }
}, 60_000);

afterAll(async () => {
  for (const client of Object.values(as)) client.close();
  await server?.drain(500);
  await database?.$disconnect();
  await postgres?.stop();
  if (keys) rmSync(keys, { recursive: true, force: true });
});

describe('seeds', () => {
  it('are applied once and never put back what people changed', async () => {
    await database.person.update({ where: { name: 'carol' }, data: { displayName: 'Carol C.' } });
    expect(await identity.seedDemo()).toBe(false);
    expect((await database.person.findUnique({ where: { name: 'carol' } }))?.displayName).toBe('Carol C.');
  });

  it('and the local issuer are refused in production', async () => {
    const production = await assemble({ production: true });
    await expect(production.seedDemo()).rejects.toThrow('production');
    const context = { principal: { issuer: 'gateway' } as never, signal: new AbortController().signal };
    await fails(production.handlers.signIn({ name: 'alice' }, context), 'production_refused');
    await fails(production.handlers.listLocalPeople({}, context), 'production_refused');
    const operator = {
      principal: { issuer: 'operator', userId: 'service:operator', permissions: [] } as never,
      signal: context.signal,
    };
    const request = { userId: '', userName: 'alice', workspaceSlug: '', label: '', scopes: [], ttlSeconds: 0 };
    await fails(production.handlers.mintApiToken(request, operator), 'production_refused');
  });
});

describe('access', () => {
  it('is refused to every service that a method does not name', async () => {
    for (const [method, issuers] of Object.entries(IDENTITY_ACCESS)) {
      const emptyRequest = IdentityServiceService[method as 'signIn'].requestDeserialize(Buffer.alloc(0));
      for (const service of SERVICES.filter((name) => !issuers.includes(name))) {
        await fails(as[service][method as 'signIn'](emptyRequest), 'permission_denied', /may not call/);
      }
    }
  });
});

describe('callers', () => {
  it('are resolved from a session with role, permissions and a CSRF token that is not the session', async () => {
    const { sessionToken, csrfToken } = await as.gateway.signIn({ name: 'bob' });
    const caller = await as.gateway.resolveCaller({ credential: sessionToken, workspaceSlug: 'acme' });
    expect(caller.membership).toMatchObject({ workspaceSlug: 'acme', role: 'member' });
    expect(caller.permissions).toEqual(['view_content', 'translate', 'manage_files', 'run_flows']);
    expect(caller.scopes).toEqual(['approvals:decide', 'workspace:configure']);
    expect(caller.csrfToken).toBe(csrfToken);
    expect(JSON.stringify(await database.session.findMany())).not.toContain(csrfToken);
    expect(JSON.stringify(await database.session.findMany())).not.toContain(sessionToken);
  });

  it('find no workspace they are not in, existing or not', async () => {
    const { sessionToken } = await as.gateway.signIn({ name: 'bob' });
    const foreign = await fails(
      as.gateway.resolveCaller({ credential: sessionToken, workspaceSlug: 'globex' }),
      'not_found',
    );
    const missing = await fails(
      as.gateway.resolveCaller({ credential: sessionToken, workspaceSlug: 'nowhere' }),
      'not_found',
    );
    expect(foreign.detail).toBe(missing.detail);
  });

  it('lose a session at sign-out, at its end, and with any changed byte', async () => {
    const { sessionToken } = await as.gateway.signIn({ name: 'bob' });
    const resolve = (credential: string) => as.gateway.describeCaller({ credential });
    await fails(resolve(`${sessionToken.slice(0, -1)}${sessionToken.endsWith('0') ? '1' : '0'}`), 'unauthenticated');
    await resolve(sessionToken);
    await as.gateway.signOut({ sessionToken });
    await as.gateway.signOut({ sessionToken });
    await fails(resolve(sessionToken), 'unauthenticated');
    const second = await as.gateway.signIn({ name: 'bob' });
    clock += 3601_000;
    await fails(resolve(second.sessionToken), 'unauthenticated', /has ended/);
  });

  it('are narrowed by the scopes of an API token, and to its workspace', async () => {
    const { token } = await as.operator.mintApiToken({
      userId: '',
      userName: 'alice',
      workspaceSlug: 'acme',
      label: 'reader',
      scopes: ['view_content', 'approvals:decide'],
      ttlSeconds: 60,
    });
    expect(token).toMatch(/^bwt_[0-9a-f]{48}$/);
    const caller = await as.gateway.resolveCaller({ credential: token, workspaceSlug: 'acme' });
    expect(caller).toMatchObject({
      permissions: ['view_content'],
      scopes: ['approvals:decide'],
      csrfToken: '',
      credentialKind: 'api_token',
    });
    await fails(as.gateway.resolveCaller({ credential: token, workspaceSlug: 'globex' }), 'not_found');
    clock += 61_000;
    await fails(as.gateway.resolveCaller({ credential: token, workspaceSlug: 'acme' }), 'unauthenticated');
  });

  it('mint API tokens for themselves only, end them at once, and never for operating the platform', async () => {
    const request = {
      userId: people['bob']!.id,
      userName: '',
      workspaceSlug: 'acme',
      label: '',
      scopes: [] as string[],
      ttlSeconds: 0,
    };
    const minted = await as.gateway.mintApiToken(request, through('bob'));
    await as.gateway.describeCaller({ credential: minted.token });
    await fails(as.gateway.mintApiToken(request, through('alice')), 'not_found');
    await fails(
      as.gateway.mintApiToken({ ...request, scopes: ['platform:operate'] }, through('bob')),
      'permission_denied',
    );
    await fails(
      as.gateway.mintApiToken({ ...request, scopes: ['everything'] }, through('bob')),
      'invalid_argument',
      /is no scope/,
    );
    await fails(as.gateway.revokeApiToken({ tokenId: minted.tokenId }, through('alice')), 'not_found');
    await as.gateway.revokeApiToken({ tokenId: minted.tokenId }, through('bob'));
    await fails(as.gateway.describeCaller({ credential: minted.token }), 'unauthenticated');
    expect(announced.at(-1)).toEqual({
      subject: `identity.invalidate.${people['bob']!.ws}`,
      body: { user_id: people['bob']!.id, token_id: minted.tokenId },
    });
  });
});

describe('agent tokens', () => {
  const mint = () => as.orchestrator.mintAgentToken({ podId: 'pod_1', ttlSeconds: 0 });
  const binding = (conversationId: string) => ({
    userId: people['bob']!.id,
    workspaceId: people['bob']!.ws,
    conversationId,
  });

  it('speak for nobody until they are bound, then for one conversation ever', async () => {
    const { token, tokenId } = await mint();
    expect(token).toMatch(/^bwt_bravo_[0-9a-f]{48}$/);
    expect(await as.broker.resolveAgentToken({ token })).toMatchObject({
      bound: false,
      podId: 'pod_1',
      userId: '',
      permissions: [],
    });
    await as.orchestrator.bindAgentToken({ tokenId, ...binding('cnv_1') });
    await as.orchestrator.bindAgentToken({ tokenId, ...binding('cnv_1') });
    await fails(as.orchestrator.bindAgentToken({ tokenId, ...binding('cnv_2') }), 'conflict');
    expect(await as.models.resolveAgentToken({ token })).toMatchObject({
      bound: true,
      conversationId: 'cnv_1',
      userName: 'bob',
      workspaceSlug: 'acme',
      role: 'member',
    });
    const minted = await events('agent.token.minted');
    expect(minted.at(-1)).toMatchObject({
      workspace: people['bob']!.ws,
      conversation: 'cnv_1',
      actor: 'service:orchestrator',
    });
  });

  it('bound by many at once are bound by one', async () => {
    const { tokenId, token } = await mint();
    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => as.orchestrator.bindAgentToken({ tokenId, ...binding(`cnv_race_${i}`) })),
    );
    const winners = attempts.flatMap((attempt, i) => (attempt.status === 'fulfilled' ? [`cnv_race_${i}`] : []));
    expect(winners).toHaveLength(1);
    expect((await as.broker.resolveAgentToken({ token })).conversationId).toBe(winners[0]);
  });

  it('are refused to people, and end with the conversation, at their expiry and with the membership', async () => {
    const { token, tokenId } = await mint();
    await as.orchestrator.bindAgentToken({ tokenId, ...binding('cnv_3') });
    await fails(as.gateway.describeCaller({ credential: token }), 'unauthenticated', /tool-broker/);
    await fails(as.gateway.resolveCaller({ credential: token, workspaceSlug: 'acme' }), 'unauthenticated');
    expect(await as.orchestrator.revokeAgentToken({ tokenId: '', conversationId: 'cnv_3' })).toEqual({ revoked: 1 });
    expect(await as.orchestrator.revokeAgentToken({ tokenId: '', conversationId: 'cnv_3' })).toEqual({ revoked: 0 });
    await fails(as.broker.resolveAgentToken({ token }), 'unauthenticated');
    expect((await events('agent.token.revoked')).at(-1)).toMatchObject({
      conversation: 'cnv_3',
      data: { token_id: tokenId },
    });
    const second = await as.orchestrator.mintAgentToken({ podId: 'pod_2', ttlSeconds: 86_400 });
    expect(second.expiresAt!.getTime() - clock).toBeLessThanOrEqual(600_000);
    await fails(as.orchestrator.revokeAgentToken({ tokenId: '', conversationId: '' }), 'invalid_argument');
    await fails(
      as.orchestrator.bindAgentToken({ tokenId: second.tokenId, ...binding('cnv_4'), userId: people['carol']!.id }),
      'permission_denied',
    );
    clock += 601_000;
    await fails(as.broker.resolveAgentToken({ token: second.token }), 'unauthenticated');
  });
});

describe('members', () => {
  const set = (by: string, who: string, role: string, permissions?: readonly string[]) =>
    as.gateway.setMemberRole({ workspaceId: people[by]!.ws, userId: people[who]!.id, role }, through(by, permissions));

  it('change role only by an admin with the scope, and a bound token sees it on its next use', async () => {
    const { token, tokenId } = await as.orchestrator.mintAgentToken({ podId: 'pod_3', ttlSeconds: 0 });
    await as.orchestrator.bindAgentToken({
      tokenId,
      userId: people['bob']!.id,
      workspaceId: people['bob']!.ws,
      conversationId: 'cnv_5',
    });
    await fails(set('bob', 'bob', 'admin'), 'permission_denied', /your role is member/);
    await fails(set('alice', 'bob', 'viewer', []), 'permission_denied', /workspace:configure/);
    await fails(set('alice', 'bob', 'emperor'), 'invalid_argument');
    await fails(set('alice', 'carol', 'viewer'), 'not_found');
    expect((await set('alice', 'bob', 'viewer')).member).toMatchObject({ role: 'viewer' });
    expect(announced.at(-1)?.body).toEqual({ user_id: people['bob']!.id });
    expect((await as.broker.resolveAgentToken({ token })).permissions).toEqual(['view_content']);
    await set('alice', 'bob', 'member');
  });

  it('keep an owner: only an owner makes one, and the last one stays', async () => {
    await fails(set('alice', 'bob', 'owner'), 'permission_denied', /Only an owner/);
    await database.member.updateMany({ where: { userId: people['alice']!.id }, data: { role: 'owner' } });
    await fails(set('alice', 'alice', 'admin'), 'conflict', /last owner/);
    await set('alice', 'bob', 'owner');
    await set('alice', 'alice', 'admin');
    await database.member.updateMany({ where: { userId: people['bob']!.id }, data: { role: 'member' } });
  });

  it('of another workspace are not told', async () => {
    await fails(as.gateway.listMembers({ workspaceId: people['carol']!.ws }, through('alice')), 'not_found');
    await fails(
      as.broker.resolveMember({ workspaceId: people['carol']!.ws, userId: people['carol']!.id }, through('bob')),
      'not_found',
    );
    const { members } = await as.gateway.listMembers({ workspaceId: people['alice']!.ws }, through('alice'));
    expect(members.map(({ person, role }) => [person?.name, role])).toEqual([
      ['alice', 'admin'],
      ['bob', 'member'],
    ]);
  });
});

describe('features', () => {
  const resolve = async (name: string) =>
    Object.fromEntries(
      (await as.gateway.resolveFeatures({ workspaceId: people[name]!.ws }, through(name))).features.map((f) => [
        f.name,
        f,
      ]),
    );
  const override = (enabled: boolean, expiresAt?: Date) => ({
    override: {
      workspaceId: '',
      workspaceSlug: 'globex',
      feature: 'bravo',
      enabled,
      reason: 'trial',
      createdBy: '',
      ...(expiresAt ? { expiresAt } : {}),
    },
  });

  it('are on by the seeded override and by plan', async () => {
    expect(await resolve('alice')).toMatchObject({
      bravo: { enabled: true, decidedBy: 'override' },
      code_exec: { enabled: true, decidedBy: 'plan' },
    });
  });

  it('are switched by the operator alone, and an expired override counts no more', async () => {
    await fails(as.gateway.setFeatureOverride(override(false), through('carol')), 'permission_denied');
    const operator = through('carol', ['platform:operate']);
    await as.gateway.setFeatureOverride(override(false), operator);
    expect(await resolve('carol')).toMatchObject({ bravo: { enabled: false, decidedBy: 'override' } });
    await as.operator.setFeatureOverride(override(true, new Date(clock + 1000)));
    expect(await resolve('carol')).toMatchObject({ bravo: { enabled: true } });
    clock += 2000;
    expect(await resolve('carol')).toMatchObject({ bravo: { enabled: false, decidedBy: 'plan' } });
    await fails(
      as.operator.setFeatureOverride({ override: { ...override(true).override, feature: 'magic' } }),
      'invalid_argument',
    );
    await fails(
      as.operator.setFeatureOverride({ override: { ...override(true).override, reason: ' ' } }),
      'invalid_argument',
    );
  });

  it('are off when the store cannot be read', async () => {
    const broken = createDatabase(postgres.url('identity').replace(':test@', ':wrong@'));
    const blind = await createIdentity({
      database: broken,
      bus: { announce: () => undefined },
      logger: createLogger('identity', 'silent'),
      schema: 'identity',
      production: false,
      sessionTtlSeconds: 1,
      agentTokenTtlSeconds: 1,
      instanceFeatures: ['bravo'],
      sealingKey: randomBytes(32),
      now: () => new Date(clock),
    });
    const principal = { issuer: 'broker', userId: 'service:broker', workspaceId: '', permissions: [] } as never;
    const answer = await blind.handlers.resolveFeatures(
      { workspaceId: 'ws_1' },
      { principal, signal: new AbortController().signal },
    );
    expect(answer.features).toEqual([
      { name: 'bravo', enabled: false, decidedBy: 'unreadable' },
      { name: 'code_exec', enabled: false, decidedBy: 'unreadable' },
    ]);
    await broken.$disconnect();
  });
});

describe('agent configuration', () => {
  const get = (name: string) => as.gateway.getAgentConfig({ workspaceId: people[name]!.ws }, through(name));
  const put = async (name: string, change: object, ifMatch = 0) => {
    const { config } = await get(name);
    return as.gateway.putAgentConfig(
      { workspaceId: people[name]!.ws, config: { ...config!, ...change }, ifMatch },
      through(name),
    );
  };

  it('is seeded as decided and read as off where nobody wrote one', async () => {
    expect(await get('bob')).toMatchObject({
      version: 1,
      config: {
        enabled: true,
        codeExecEnabled: true,
        maxConcurrent: 3,
        requireApproval: expect.arrayContaining(['execute_script', 'merge_stream']),
      },
    });
    await database.agentConfig.deleteMany({ where: { workspaceId: people['carol']!.ws } });
    expect(await get('carol')).toMatchObject({ version: 0, config: { enabled: false, codeExecEnabled: false } });
    expect(await put('carol', { enabled: true })).toMatchObject({ version: 1, config: { enabled: true } });
  });

  it('changes by admins, against the version they saw, and tells what changed', async () => {
    await fails(put('bob', { enabled: false }), 'permission_denied');
    const { version } = await put('alice', { deniedTools: ['fetch_url', 'tool_of_tomorrow'] }, 1);
    expect(version).toBe(2);
    await fails(put('alice', { enabled: false }, 1), 'version_conflict', /version 2/);
    expect((await events('agent.config.changed')).at(-1)).toMatchObject({
      actor: `user:${people['alice']!.id}`,
      data: { version: 2, changed: ['denied_tools'] },
    });
    const race = await Promise.allSettled([
      put('alice', { maxConcurrent: 4 }, 2),
      put('alice', { maxConcurrent: 5 }, 2),
    ]);
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each([
    [{ maxConcurrent: 0 }, 'max_concurrent'],
    [{ maxConcurrent: 51 }, 'max_concurrent'],
    [{ allowedTools: [''] }, 'allowed_tools'],
    [{ deniedTools: ['run', 'run'] }, 'denied_tools'],
    [{ requireApproval: ['a b'] }, 'require_approval'],
  ])('refuses %j and names the field', async (change, field) => {
    const fault = await fails(put('alice', change), 'invalid_argument');
    expect(fault.meta['field']).toBe(field);
  });
});

describe('settings', () => {
  const put = (by: string, layer: string, documentJson: string, ifMatch = 0, permissions?: readonly string[]) =>
    as.gateway.putSettings(
      { workspaceId: people[by]!.ws, layer, userId: layer === 'user' ? people[by]!.id : '', documentJson, ifMatch },
      through(by, permissions),
    );

  it('are written by those whose layer it is', async () => {
    await fails(put('alice', 'platform', '{}'), 'permission_denied');
    await fails(put('bob', 'workspace', '{}'), 'permission_denied');
    expect(await put('alice', 'platform', '{"a":1}', 0, ['platform:operate'])).toEqual({ version: 1 });
    expect(await put('alice', 'workspace', '{ "permissions": {"deny": ["run"]} }')).toEqual({ version: 1 });
    expect(await put('bob', 'user', '{"x":1}')).toEqual({ version: 1 });
    await fails(put('bob', 'user', '{"x":2}', 7), 'version_conflict');
    const read = (by: string, layer: string, userId = '') =>
      as.gateway.getSettings({ workspaceId: people[by]!.ws, layer, userId }, through(by));
    expect(await read('bob', 'workspace')).toEqual({ documentJson: '{"permissions":{"deny":["run"]}}', version: 1 });
    await fails(read('alice', 'user', people['bob']!.id), 'not_found');
    expect(await read('carol', 'workspace')).toEqual({ documentJson: '{}', version: 0 });
  });

  it.each([['[]'], ['nonsense'], ['null'], [JSON.stringify({ big: 'x'.repeat(70_000) })]])(
    'refuse what is no small JSON object (%#)',
    async (document) => {
      await fails(put('bob', 'user', document), 'invalid_argument');
    },
  );
});

describe('secrets', () => {
  it('are sealed at rest, listed by name, and opened by the model gateway alone', async () => {
    const workspaceId = people['alice']!.ws;
    await as.gateway.putSecret({ workspaceId, name: 'MODEL_KEY', value: 'sk-very-secret' }, through('alice'));
    expect(await as.gateway.listSecrets({ workspaceId }, through('alice'))).toEqual({ names: ['MODEL_KEY'] });
    const rows = await database.secret.findMany();
    expect(Buffer.from(rows[0]!.sealed).includes('sk-very')).toBe(false);
    expect(await as.models.revealSecret({ workspaceId, name: 'MODEL_KEY' })).toEqual({ value: 'sk-very-secret' });
    await fails(as.gateway.putSecret({ workspaceId, name: 'lower', value: 'x' }, through('alice')), 'invalid_argument');
    await fails(as.gateway.putSecret({ workspaceId, name: 'OTHER', value: 'x' }, through('bob')), 'permission_denied');
    // Moved to another workspace's row the same bytes do not open.
    await database.secret.create({ data: { ...rows[0]!, workspaceId: people['carol']!.ws } });
    await fails(as.models.revealSecret({ workspaceId: people['carol']!.ws, name: 'MODEL_KEY' }), 'internal');
  });
});
