/** Who is who: seeds, access of services, callers, agent tokens and members, through the real server and database. */
import { describe, expect, it } from '@jest/globals';
import { IdentityServiceService } from '@bravo/proto/identity';
import { IDENTITY_ACCESS } from './access.grpc.ts';
import {
  assembleIdentity,
  eventsOf,
  fails,
  SERVICES,
  through as throughGateway,
  useIdentity,
} from './identity.fixture.ts';

const test = useIdentity();
const { as, people, announced, clock } = test;
const through = (name: string, permissions?: readonly string[]) => throughGateway(test, name, permissions);
const events = (type: string) => eventsOf(test, type);

describe('seeds', () => {
  it('are applied once and never put back what people changed', async () => {
    await test.database.person.update({ where: { name: 'carol' }, data: { displayName: 'Carol C.' } });
    expect(await test.identity.seedDemo()).toBe(false);
    expect((await test.database.person.findUnique({ where: { name: 'carol' } }))?.displayName).toBe('Carol C.');
  });

  it('and the local issuer are refused in production', async () => {
    const production = await assembleIdentity(test.database, test, { production: true });
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
    expect(JSON.stringify(await test.database.session.findMany())).not.toContain(csrfToken);
    expect(JSON.stringify(await test.database.session.findMany())).not.toContain(sessionToken);
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
    clock.now += 3601_000;
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
    clock.now += 61_000;
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
    rootConversationId: '',
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

  it('are refused to people, and end with the conversation, at their expiry and with the membership [pod.token] [hostile.token-life]', async () => {
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
    expect(second.expiresAt!.getTime() - clock.now).toBeLessThanOrEqual(600_000);
    await fails(as.orchestrator.revokeAgentToken({ tokenId: '', conversationId: '' }), 'invalid_argument');
    await fails(
      as.orchestrator.bindAgentToken({ tokenId: second.tokenId, ...binding('cnv_4'), userId: people['carol']!.id }),
      'permission_denied',
    );
    clock.now += 601_000;
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
      rootConversationId: '',
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
    await test.database.member.updateMany({ where: { userId: people['alice']!.id }, data: { role: 'owner' } });
    await fails(set('alice', 'alice', 'admin'), 'conflict', /last owner/);
    await set('alice', 'bob', 'owner');
    await set('alice', 'alice', 'admin');
    await test.database.member.updateMany({ where: { userId: people['bob']!.id }, data: { role: 'member' } });
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
