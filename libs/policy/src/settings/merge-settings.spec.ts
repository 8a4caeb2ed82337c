import fc from 'fast-check';
import { type LayerSource, mergeSettings, type MergeOptions, SETTINGS_LAYERS } from '../index.ts';

const whyUnreadable = (rule: unknown): string | undefined =>
  typeof rule === 'string' && !rule.includes('!') ? undefined : 'it is no rule';
const names = SETTINGS_LAYERS.map(({ name }) => name);
const say = (layer: string, value: unknown): LayerSource => ({ layer, text: JSON.stringify(value) });
const merge = (sources: readonly LayerSource[], over: Partial<MergeOptions> = {}) =>
  mergeSettings(sources, { whyUnreadable, ...over });

const list = fc.array(fc.constantFrom('Bash', 'Read(.env)', 'bad!'), { maxLength: 3 });
const document = fc.record(
  {
    model: fc.constantFrom('a', 'b', 5),
    env: fc.dictionary(fc.constantFrom('A', 'B'), fc.constantFrom('1', '2', 3)),
    permissions: fc.record(
      { deny: list, ask: list, allow: list, defaultMode: fc.constant('acceptEdits') },
      { requiredKeys: [] },
    ),
    run: fc.record({ scrubEnv: fc.constant(['T']), maxOutput: fc.constantFrom(0, 100) }, { requiredKeys: [] }),
    search: fc.record({ maxFiles: fc.constantFrom(1, 2, 1.5) }, { requiredKeys: [] }),
    locked: fc.subarray(['model', 'env', 'permissions']),
    odd: fc.constant(1),
  },
  { requiredKeys: [] },
);
const sources = fc.array(
  fc.tuple(fc.constantFrom(...names), document).map(([layer, value]) => say(layer, value)),
  { maxLength: 5 },
);

describe('settings of five layers', () => {
  it('[settings.alone] are the same without a layer that fails as without that layer', () => {
    const large = JSON.stringify({ permissions: { allow: ['Bash(x)'] }, model: 'm'.repeat(70_000) });
    const broken = fc.constantFrom('{', '[]', '{"a":1,"a":2}', ' '.repeat(70_000), large, 'null', undefined);
    fc.assert(
      fc.property(sources, fc.constantFrom(...names), broken, fc.nat(5), (rest, layer, text, at) => {
        const withBroken = merge([...rest.slice(0, at), { layer, text }, ...rest.slice(at)]);
        const without = merge(rest);
        expect(withBroken.effective).toEqual(without.effective);
        expect(withBroken.rules).toEqual(without.rules);
      }),
    );
  });

  it('[settings.restrict] keep every deny and ask rule of every layer, whatever the others say or lock', () => {
    fc.assert(
      fc.property(sources, fc.constantFrom(...names), fc.constantFrom('deny', 'ask'), (rest, layer, which) => {
        const rules = merge([...rest, say(layer, { permissions: { [which]: ['Bash(x)'] } })]).rules;
        expect(rules[which as 'deny' | 'ask']).toContainEqual({ rule: 'Bash(x)', layer });
      }),
    );
  });

  it('take a single value from the closest layer that may say it, and name every layer that did', () => {
    const merged = merge([
      say('conversation', { model: 'mine' }),
      say('user', { model: 'usual' }),
      say('repository', { model: 'theirs' }),
    ]);
    expect(merged.effective).toEqual({ model: 'mine' });
    expect(merged.origins.get('model')).toEqual(['user', 'conversation']);
  });

  it('do not depend on the order the layers are given in', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...names)), fc.infiniteStream(document), (some, documents) => {
        const given = some.map((layer) => say(layer, documents.next().value));
        expect(merge(given.toReversed())).toEqual(merge(given));
      }),
    );
  });

  it('[settings.repository] take no provider, variable or model from a repository, and its allow rules only once accepted', () => {
    const text = {
      provider: { p: {} },
      env: { A: '1' },
      model: 'm',
      permissions: { allow: ['Bash(a)', 'Bash(b)'], deny: ['Bash(c)'] },
    };
    const merged = merge([{ ...say('repository', text), acceptedRules: ['Bash(b)', 'Bash(z)'] }]);
    expect(merged.effective).toEqual({ permissions: { allow: ['Bash(b)'], deny: ['Bash(c)'] } });
    expect(merged.proposals).toEqual([{ rule: 'Bash(a)', layer: 'repository' }]);
    expect(merged.ignored.map(({ key, why }) => [key, why])).toEqual(
      ['provider', 'env', 'model'].map((key) => [key, 'not-on-this-layer']),
    );
  });

  it('[settings.locks] hold down what the operator or an admin locked, for every later layer and no earlier one', () => {
    const merged = merge([
      say('platform', { model: 'fixed', locked: ['model', 'env.A', 'permissions'] }),
      say('user', {
        model: 'other',
        env: { A: '1', B: '2' },
        permissions: { allow: ['Bash(a)'], additionalDirectories: ['../x'], ask: ['Bash(b)'] },
      }),
    ]);
    expect(merged.effective).toEqual({ model: 'fixed', env: { B: '2' }, permissions: { ask: ['Bash(b)'] } });
    expect(merged.ignored.map(({ key, why, text }) => [key, why, text])).toEqual([
      ['model', 'locked', 'The platform settings lock model.'],
      ['env.A', 'locked', 'The platform settings lock env.A.'],
      ['permissions.allow', 'locked', 'The platform settings lock permissions.'],
      ['permissions.additionalDirectories', 'locked', 'The platform settings lock permissions.'],
    ]);
  });

  it('let nobody but the operator and admins lock', () => {
    const merged = merge([say('user', { locked: ['model'] }), say('conversation', { model: 'mine' })]);
    expect(merged.effective).toEqual({ model: 'mine' });
    expect(merged.ignored).toMatchObject([{ layer: 'user', key: 'locked', why: 'unknown-key' }]);
  });

  it('[settings.provider] let a tenant name no profile and no private host, and the operator both', () => {
    const provider = {
      aws: { options: { region: 'r', profile: 'p' } },
      own: { options: { baseURL: 'https://10.0.0.1/v1' } },
      open: { env: ['K'] },
    };
    expect(Object.keys(merge([say('platform', { provider })]).effective['provider'] as object)).toEqual([
      'aws',
      'own',
      'open',
    ]);
    for (const layer of ['workspace', 'user', 'conversation']) {
      const merged = merge([say(layer, { provider })]);
      expect(merged.effective).toEqual({ provider: { open: { env: ['K'] } } });
      expect(merged.ignored.map(({ key, why }) => [key, why])).toEqual([
        ['provider.aws', 'refused-provider'],
        ['provider.own', 'refused-provider'],
      ]);
    }
  });

  it('[settings.limits] hold the smallest limit of all layers, and say which wider one changes nothing', () => {
    const limits = (personDailyTokens: number) => ({ limits: { personDailyTokens } });
    for (const [platform, workspace, user, held] of [
      [5, 10, 20, 5],
      [20, 10, 5, 5],
      [20, 5, 10, 5],
    ] as const) {
      const merged = merge([
        say('platform', limits(platform)),
        say('workspace', limits(workspace)),
        say('user', limits(user)),
      ]);
      expect(merged.effective['limits']).toEqual({ personDailyTokens: held });
      expect(merged.ignored.every(({ why }) => why === 'looser')).toBe(true);
    }
    expect(merge([say('user', limits(0))]).useless).toMatchObject([{ key: 'limits.personDailyTokens' }]);
  });

  it('switch vetting by the workspace and by nobody nearer', () => {
    expect(merge([say('workspace', { vetting: { auto: true } })]).effective).toEqual({ vetting: { auto: true } });
    for (const layer of ['user', 'repository', 'conversation'])
      expect(merge([say(layer, { vetting: { auto: true } })]).effective).toEqual({});
  });

  it('name a rule that cannot be read, whatever it is, and keep the rest', () => {
    const merged = merge([say('user', { permissions: { allow: ['Bash(a)', 7, null, 'x!', ['Bash']] } })]);
    expect(merged.effective).toEqual({ permissions: { allow: ['Bash(a)'] } });
    expect(merged.problems.map(({ what, item }) => [what, item])).toEqual(
      ['7', 'null', 'x!', '["Bash"]'].map((item) => ['unreadable-rule', item]),
    );
  });

  it('give each layer its lists as written, for compiling, and leave out what is locked', () => {
    const merged = merge([
      say('platform', { locked: ['permissions.allow'], permissions: { deny: ['Bash(a)'], allow: ['Bash(p)'] } }),
      { ...say('repository', { permissions: { ask: ['x!', 5], allow: ['Bash(b)'] } }), acceptedRules: ['Bash(b)'] },
      say('user', { permissions: { deny: 'Bash' } }),
    ]);
    expect(merged.ruleSources).toEqual([
      { layer: 'platform', accepted: [], deny: ['Bash(a)'], allow: ['Bash(p)'] },
      { layer: 'repository', accepted: ['Bash(b)'], ask: ['x!', 5] },
    ]);
  });

  it('say what a useless value would have to be, and where', () => {
    const merged = merge([
      say('user', {
        model: '',
        editorMode: 'nano',
        env: [],
        run: { scrubEnv: ['A', '', 3], maxOutput: '5' },
        search: null,
      }),
    ]);
    expect(merged.effective).toEqual({ run: { scrubEnv: ['A'] } });
    expect(merged.useless.map(({ key }) => key)).toEqual([
      'model',
      'editorMode',
      'env',
      'run.scrubEnv[1]',
      'run.scrubEnv[2]',
      'run.maxOutput',
      'search',
    ]);
  });

  it('count bytes and not characters', () => {
    const long = (bytes: number): LayerSource => ({
      layer: 'user',
      text: JSON.stringify({ model: 'é'.repeat((bytes - 12) / 2) }),
    });
    expect(merge([long(65_536)]).problems).toEqual([]);
    expect(merge([long(65_538)]).problems).toMatchObject([{ what: 'too-large', layer: 'user' }]);
  });

  it('read no layer they do not have', () => {
    expect(merge([say('above', { model: 'm' })])).toMatchObject({ effective: {}, ignored: [], problems: [] });
  });

  it('keep a name with dots whole', () => {
    const provider = { 'a.b': { name: 'x' } };
    expect(merge([say('user', { provider, env: { 'x.y.z': '1' } })]).effective).toEqual({
      provider,
      env: { 'x.y.z': '1' },
    });
  });

  it('name a profile to the operator alone, and say why, where and what holds instead', () => {
    const merged = merge([
      say('platform', { env: { AWS_PROFILE: 'ours' } }),
      say('user', { env: { AWS_PROFILE: 'mine', TOKEN: 'x' }, limits: { personDailyTokens: 9 } }),
      say('conversation', { limits: { personDailyTokens: 9 } }),
      say('workspace', { limits: { personDailyTokens: 5 } }),
    ]);
    expect(merged.effective).toEqual({ env: { AWS_PROFILE: 'ours', TOKEN: 'x' }, limits: { personDailyTokens: 5 } });
    expect(merged.ignored).toEqual([
      {
        ...{ layer: 'user', key: 'env.AWS_PROFILE', why: 'not-on-this-layer' },
        text: 'It names credentials of the machine, which only the operator may.',
      },
      ...['user', 'conversation'].map((layer) => ({
        ...{ layer, key: 'limits.personDailyTokens', why: 'looser', text: 'An earlier layer sets a smaller limit.' },
      })),
    ]);
  });

  it('hold a limit that is as small as the one before, and say whose it is', () => {
    const merged = merge([say('workspace', { limits: { treeTokens: 5 } }), say('user', { limits: { treeTokens: 5 } })]);
    expect(merged.ignored).toEqual([]);
    expect(merged.origins.get('limits.treeTokens')).toEqual(['workspace', 'user']);
  });

  it('let a tenant name a host the operator listed, in the settings or beside them, and no other', () => {
    const lab = (host: string) => say('user', { provider: { lab: { options: { baseURL: `https://${host}/v1` } } } });
    const named = (sources: readonly LayerSource[], over = {}) => 'provider' in merge(sources, over).effective;
    expect(named([lab('models.internal')])).toBe(false);
    expect(named([lab('models.internal')], { providerHosts: ['models.internal'] })).toBe(true);
    expect(named([lab('other.internal')], { providerHosts: ['models.internal'] })).toBe(false);
    expect(merge([], { providerHosts: ['models.internal'] }).providerHosts).toEqual(['models.internal']);
    expect(merge([]).providerHosts).toEqual([]);
  });

  it('take a variable of the operator over every layer, and name it as that', () => {
    const merged = merge([say('user', { env: { A: '1', 'B.C': '2' } })], { environment: { A: '9' } });
    expect(merged.effective).toEqual({ env: { A: '9', 'B.C': '2' } });
    expect(merged.origins.get('env.A')).toEqual(['user', 'environment']);
  });

  it('are compiled from what each layer wrote, without the allow rules a lock holds down', () => {
    const merged = merge([
      say('workspace', { locked: ['permissions.allow'], permissions: { deny: ['Read(.env)'] } }),
      say('user', { permissions: { allow: ['Bash'], ask: ['Edit', 'bad!'] } }),
      say('conversation', { model: 'mine' }),
    ]);
    expect(merged.ruleSources).toEqual([
      { layer: 'workspace', accepted: [], deny: ['Read(.env)'] },
      { layer: 'user', accepted: [], ask: ['Edit', 'bad!'] },
    ]);
    expect(merged.rules).toEqual({
      deny: [{ rule: 'Read(.env)', layer: 'workspace' }],
      ask: [{ rule: 'Edit', layer: 'user' }],
      allow: [],
    });
    expect(merge([]).rules).toEqual({ deny: [], ask: [], allow: [] });
  });

  it('as large as may be are read, and one byte more is not begun, whatever its letters take', () => {
    const ofBytes = (bytes: number, letter: string) => {
      const room = bytes - Buffer.byteLength('{"model":""}');
      return { layer: 'user', text: `{"model":"${letter.repeat(room / Buffer.byteLength(letter))}"}` };
    };
    for (const letter of ['m', 'é']) {
      expect(merge([ofBytes(65_536, letter)]).problems).toEqual([]);
      expect(merge([ofBytes(65_536 + Buffer.byteLength(letter), letter)]).problems).toEqual([
        {
          ...{ layer: 'user', what: 'too-large' },
          text: 'The user settings are larger than 65536 bytes and were not read. Shorten them.',
        },
      ]);
    }
  });
});
