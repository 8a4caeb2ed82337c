/** Provider blocks to services, and names to the models they mean. */
import { ModelProviderError, type ModelProvider, type ProviderModel } from '../providers/model-provider.port.ts';
import type { ProviderEntry } from '../providers/provider-entry.ts';
import { createLoadRoster, type LoadRosterParts } from './load-roster.ts';
import { readProviders } from './read-providers.client.ts';
import { searchModels } from './roster.ts';
import { resolveAsIdentity } from '../testing/resolve-as-identity.fixture.ts';

const read = (layers: Readonly<Record<string, object>>, isAdmin = true) => {
  const sources = Object.entries(layers).map(([layer, document]) => ({ layer, text: JSON.stringify(document) }));
  return readProviders(resolveAsIdentity(sources, isAdmin));
};
const model = (name: string): ProviderModel => ({
  ...{ name, label: name, contextTokens: null, outputTokens: null, effort: 'unknown', demo: false },
});

describe('a provider block', () => {
  it("of opencode's works unedited, with what it does not know read past", () => {
    const { entries, notes } = read({
      workspace: {
        provider: {
          openrouter: {
            ...{ npm: '@openrouter/ai-sdk-provider', name: 'OpenRouter', env: ['OPENROUTER_API_KEY'] },
            models: {
              'z-ai/glm-4.6': {
                limit: { context: 200_000, output: 8_192 },
                cost: { input: 1 },
                options: { provider: { order: ['x'] } },
              },
              half: { limit: { context: 5 } },
            },
          },
        },
      },
    });
    expect(notes).toEqual([]);
    expect(entries).toMatchObject([
      {
        id: 'openrouter',
        label: 'OpenRouter',
        kind: 'openrouter',
        layer: 'workspace',
        keyNames: ['OPENROUTER_API_KEY'],
      },
    ]);
    expect(entries[0]?.models).toMatchObject([
      { name: 'z-ai/glm-4.6', contextTokens: 200_000, outputTokens: 8_192, options: { provider: { order: ['x'] } } },
      // Half a limit is none.
      { name: 'half', contextTokens: null, outputTokens: null },
    ]);
  });

  it.each([
    ['an unknown name without an address', { x: {} }, /no options\.baseURL/],
    ['Bedrock without a region', { 'amazon-bedrock': { models: { m: {} } } }, /options\.region/],
    ['Azure without a place', { azure: { env: ['K'] } }, /resourceName/],
    [
      'Azure with a place that is an address',
      { azure: { options: { resourceName: 'evil.example/' } } },
      /resourceName/,
    ],
  ])('that is %s configures nothing and says why', (_what, provider, text) => {
    const { entries, notes } = read({ workspace: { provider } });
    expect(entries).toEqual([]);
    expect(notes).toMatchObject([{ text: expect.stringMatching(text) }]);
  });

  it('of a person lends no key of the workspace to an address of their own [settings.provider]', () => {
    const block = (options: object) => ({ provider: { openrouter: { env: ['OPENROUTER_API_KEY'], options } } });
    const stolen = read({ workspace: block({}), user: block({ baseURL: 'https://collector.example/v1' }) }, false);
    expect(stolen.entries).toEqual([]);
    expect(stolen.notes).toMatchObject([{ text: expect.stringMatching(/only an admin.*user settings/) }]);
    const own = { provider: { openrouter: { options: { baseURL: 'https://mine.example/v1', apiKey: 'mine' } } } };
    expect(read({ user: own }, false).entries).toMatchObject([{ keyNames: [], key: 'mine' }]);
  });

  it('of a tenant names no private address and no profile, and the operator both [settings.provider]', () => {
    const provider = {
      x: { options: { baseURL: 'http://127.0.0.1:1/v1' } },
      'amazon-bedrock': { options: { region: 'r', profile: 'p' } },
    };
    expect(read({ workspace: { provider } }).entries).toEqual([]);
    expect(read({ platform: { provider } }).entries).toMatchObject([
      { id: 'x' },
      { id: 'amazon-bedrock', profile: 'p' },
    ]);
  });

  it('of Bedrock adds to the tiers of the variables, whose words name what the account named', () => {
    const env = {
      BRAVEBOT_USE_BEDROCK: '1',
      AWS_REGION: 'eu-central-1',
      AWS_PROFILE: 'p',
      ANTHROPIC_DEFAULT_OPUS_MODEL: 'arn:aws:bedrock:r:1:inference-profile/x',
    };
    const alone = read({ workspace: { env } });
    expect(alone.tiers).toEqual({ opus: env.ANTHROPIC_DEFAULT_OPUS_MODEL });
    expect(alone.entries).toMatchObject([
      {
        id: 'amazon-bedrock',
        region: 'eu-central-1',
        profile: undefined,
        models: [{ name: env.ANTHROPIC_DEFAULT_OPUS_MODEL }],
      },
    ]);
    expect(read({ platform: { env } }).entries).toMatchObject([{ profile: 'p', label: 'Bedrock, your p AWS profile' }]);
    const both = read({
      workspace: {
        env,
        provider: { 'amazon-bedrock': { options: { region: 'us-west-2' }, models: { sol: { name: 'Sol' } } } },
      },
    });
    expect(both.entries).toMatchObject([
      { region: 'us-west-2', models: [{ name: 'sol', label: 'Sol' }, { name: env.ANTHROPIC_DEFAULT_OPUS_MODEL }] },
    ]);
    expect(read({ workspace: { env: { BRAVEBOT_USE_BEDROCK: '1' } } }).notes).toMatchObject([
      { key: 'env.AWS_REGION' },
    ]);
    expect(read({ workspace: { env: { BRAVEBOT_USE_BEDROCK: 'true', AWS_REGION: 'r' } } }).entries).toEqual([]);
  });
});

const OWNER = { workspaceId: 'ws_1', userId: 'usr_1', conversationId: '' };
const providerNamed = (
  id: string,
  listModels: ModelProvider['listModels'] = () => Promise.resolve([]),
): ModelProvider => ({
  ...{ id, label: id.toUpperCase(), listModels },
  stream: () => {
    throw new Error('not asked');
  },
});
const own = { provider: providerNamed('own'), models: [model('first')], bare: false };
const setUp = (lists: Readonly<Record<string, () => Promise<readonly ProviderModel[]>>> = {}) => {
  const clock = { now: 0 };
  const asked: string[] = [];
  const providerOf: LoadRosterParts['providerOf'] = ({ id }: ProviderEntry) =>
    providerNamed(id, () => {
      asked.push(id);
      return lists[id]?.() ?? Promise.resolve([]);
    });
  const load = createLoadRoster({ own, providerOf, now: () => clock.now, log: () => undefined });
  return { clock, asked, load };
};
const blocks = (provider: object, env: object = {}) => read({ platform: { provider, env } });
const LISTED = {
  a: { options: { baseURL: 'http://h/v1' }, models: { 'x/one': { name: 'One' }, same: {} } },
  b: { options: { baseURL: 'http://i/v1' }, models: { same: {} } },
};

describe('a name', () => {
  it('finds its service by the id before the first slash, or by its bare self', async () => {
    const roster = await setUp().load(
      OWNER,
      blocks(LISTED, { BRAVEBOT_USE_BEDROCK: '1', AWS_REGION: 'r', ANTHROPIC_DEFAULT_HAIKU_MODEL: 'arn:aws:x/y' }),
    );
    const nameOf = (name: string) => [roster.find(name)?.provider.id, roster.find(name)?.name];
    expect(nameOf('a/x/one')).toEqual(['a', 'x/one']);
    expect(nameOf('x/one')).toEqual(['a', 'x/one']);
    expect(nameOf('b/same')).toEqual(['b', 'same']);
    expect(nameOf('same')).toEqual(['a', 'same']);
    expect(nameOf('arn:aws:x/y')).toEqual(['amazon-bedrock', 'arn:aws:x/y']);
    expect(nameOf('haiku')).toEqual(['amazon-bedrock', 'arn:aws:x/y']);
    for (const name of ['automatic', 'automatic-brave-bot']) expect(nameOf(name)).toEqual(['own', 'first']);
    for (const name of ['', 'unheard', 'a/unheard', 'opus', '__proto__', 'a/', '/x'])
      expect(roster.find(name)).toBeUndefined();
  });

  it('does not move what automatic leads to', async () => {
    expect((await setUp().load(OWNER, blocks(LISTED))).automatic?.id).toBe('own/first');
  });

  it('is told apart by its layer where the operator has the same id', async () => {
    const roster = await setUp().load(
      OWNER,
      blocks({ own: { options: { baseURL: 'http://h/v1' }, models: { mine: {} } } }),
    );
    expect(roster.models.map(({ id }) => id)).toEqual(['own/first', 'platform-own/mine']);
  });

  it('is searched by every word, anywhere, in name, id or service', async () => {
    const { models } = await setUp().load(OWNER, blocks(LISTED));
    expect(searchModels(models, 'ONE a').map(({ id }) => id)).toEqual(['a/x/one']);
    expect(searchModels(models, 'one b')).toEqual([]);
    expect(searchModels(models, ' ')).toHaveLength(models.length);
  });
});

describe('a list that is asked for', () => {
  const ASKED = {
    a: { options: { baseURL: 'http://h/v1' } },
    b: { options: { baseURL: 'http://i/v1' }, models: { listed: {} } },
  };

  it('is kept, ordered, and stale where it cannot be had again; none empties another', async () => {
    let works = true;
    const list = () =>
      works
        ? Promise.resolve([model('z'), model('a')])
        : Promise.reject(new ModelProviderError('unavailable', 'It is away.'));
    const { clock, asked, load } = setUp({ a: list });
    expect((await load(OWNER, blocks(ASKED))).models.map(({ id }) => id)).toEqual([
      'own/first',
      'a/a',
      'a/z',
      'b/listed',
    ]);
    await load(OWNER, blocks(ASKED));
    expect(asked).toEqual(['a']);
    works = false;
    clock.now = 6 * 60_000;
    await load(OWNER, blocks(ASKED));
    await new Promise((resolve) => setImmediate(resolve));
    const stale = await load(OWNER, blocks(ASKED));
    expect(stale.models.map(({ id }) => id)).toEqual(['own/first', 'a/a', 'a/z', 'b/listed']);
    expect(stale.services[1]).toMatchObject({ id: 'a', stale: true, problem: 'It is away.' });
  });

  it('that was never had leaves the rest, and a name of it is asked for all the same', async () => {
    const never = new Promise<readonly ProviderModel[]>(() => undefined);
    let asked = 0;
    const list = () =>
      (asked += 1) === 1 ? Promise.reject(new ModelProviderError('unavailable', 'It is away.')) : never;
    const { clock, load } = setUp({ a: list });
    const roster = await load(OWNER, blocks(ASKED));
    expect(roster.models.map(({ id }) => id)).toEqual(['own/first', 'b/listed']);
    expect(roster.find('a/some/model')).toMatchObject({ name: 'some/model', id: 'a/some/model' });
    expect(roster.find('some/model')).toBeUndefined();
    // It is asked again, and whoever calls a model meanwhile does not wait for it.
    clock.now = 60_000;
    expect((await load(OWNER, blocks(ASKED))).models).toHaveLength(2);
    expect(asked).toBe(2);
  });

  it("is one workspace's and never another's", async () => {
    const { asked, load } = setUp({ a: () => Promise.resolve([model('m')]) });
    await load(OWNER, blocks(ASKED));
    await load({ ...OWNER, workspaceId: 'ws_2' }, blocks(ASKED));
    expect(asked).toEqual(['a', 'a']);
  });
});
