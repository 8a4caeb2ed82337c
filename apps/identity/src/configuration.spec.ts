/** What is switched on and kept: features, agent configuration, settings and secrets, through the real server and database. */
import { describe, expect, it } from '@jest/globals';
import { createDatabase } from './databases/database.prisma.ts';
import { assembleIdentity, eventsOf, fails, through as throughGateway, useIdentity } from './identity.fixture.ts';

const test = useIdentity();
const { as, people, clock } = test;
const through = (name: string, permissions?: readonly string[]) => throughGateway(test, name, permissions);
const events = (type: string) => eventsOf(test, type);

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

  it('are switched by the operator alone, and an expired override counts no more [authority.dark]', async () => {
    await fails(as.gateway.setFeatureOverride(override(false), through('carol')), 'permission_denied');
    const operator = through('carol', ['platform:operate']);
    await as.gateway.setFeatureOverride(override(false), operator);
    expect(await resolve('carol')).toMatchObject({ bravo: { enabled: false, decidedBy: 'override' } });
    await as.operator.setFeatureOverride(override(true, new Date(clock.now + 1000)));
    expect(await resolve('carol')).toMatchObject({ bravo: { enabled: true } });
    clock.now += 2000;
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
    const broken = createDatabase(test.postgres.url('identity').replace(':test@', ':wrong@'));
    const blind = await assembleIdentity(broken, test, { instanceFeatures: ['bravo'] });
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
    await test.database.agentConfig.deleteMany({ where: { workspaceId: people['carol']!.ws } });
    expect(await get('carol')).toMatchObject({ version: 0, config: { enabled: false, codeExecEnabled: false } });
    expect(await put('carol', { enabled: true })).toMatchObject({ version: 1, config: { enabled: true } });
  });

  it('changes by admins, against the version they saw, and tells what changed', async () => {
    await fails(put('bob', { enabled: false }), 'permission_denied');
    const { version } = await put('alice', { deniedTools: ['fetch_url', 'tool_of_tomorrow'] }, 1);
    expect(version).toBe(2);
    expect(test.announced.at(-1)).toEqual({ subject: `identity.invalidate.${people['alice']!.ws}`, body: {} });
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

  it('are written by those whose layer it is [settings.layers]', async () => {
    await fails(put('alice', 'platform', '{}'), 'permission_denied');
    await fails(put('bob', 'workspace', '{}'), 'permission_denied');
    expect(await put('alice', 'platform', '{"a":1}', 0, ['platform:operate'])).toEqual({ version: 1 });
    expect(await put('alice', 'workspace', '{ "permissions": {"deny": ["run"]} }')).toEqual({ version: 1 });
    expect(await put('bob', 'user', '{"x":1}')).toEqual({ version: 1 });
    await fails(put('bob', 'user', '{"x":2}', 7), 'version_conflict');
    const read = (by: string, layer: string, userId = '') =>
      as.gateway.getSettings({ workspaceId: people[by]!.ws, layer, userId }, through(by));
    const stored = { documentJson: '{"permissions":{"deny":["run"]}}', version: 1 };
    expect(await read('alice', 'workspace')).toEqual(stored);
    await fails(read('bob', 'workspace'), 'permission_denied');
    await fails(read('alice', 'platform'), 'permission_denied');
    expect(await as.broker.getSettings({ workspaceId: people['bob']!.ws, layer: 'workspace', userId: '' })).toEqual(
      stored,
    );
    const all = { workspaceId: people['bob']!.ws, userId: people['bob']!.id };
    expect(await as.broker.listSettings({ ...all, conversationId: 'cnv_1' })).toEqual({
      layers: [
        { layer: 'platform', documentJson: '{"a":1}', version: 1 },
        { layer: 'workspace', ...stored },
        { layer: 'user', documentJson: '{"x":1}', version: 1 },
        { layer: 'conversation', documentJson: '{}', version: 0 },
      ],
    });
    expect((await as.broker.listSettings(all)).layers.map(({ layer }) => layer)).toEqual([
      'platform',
      'workspace',
      'user',
    ]);
    await fails(as.gateway.listSettings(all, through('bob')), 'permission_denied');
    expect((await events('agent.settings.changed')).map(({ data }) => data)).toEqual([
      { layer: 'platform', version: 1, changed: ['a'] },
      { layer: 'workspace', version: 1, changed: ['permissions.deny'] },
      { layer: 'user', version: 1, changed: ['x'] },
    ]);
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
    const rows = await test.database.secret.findMany();
    expect(Buffer.from(rows[0]!.sealed).includes('sk-very')).toBe(false);
    expect(await as.models.revealSecret({ workspaceId, name: 'MODEL_KEY' })).toEqual({ value: 'sk-very-secret' });
    await fails(as.gateway.putSecret({ workspaceId, name: 'lower', value: 'x' }, through('alice')), 'invalid_argument');
    await fails(as.gateway.putSecret({ workspaceId, name: 'OTHER', value: 'x' }, through('bob')), 'permission_denied');
    // Moved to another workspace's row the same bytes do not open.
    await test.database.secret.create({ data: { ...rows[0]!, workspaceId: people['carol']!.ws } });
    await fails(as.models.revealSecret({ workspaceId: people['carol']!.ws, name: 'MODEL_KEY' }), 'internal');
  });
});
