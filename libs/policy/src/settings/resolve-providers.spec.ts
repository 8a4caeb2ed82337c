/** Provider blocks as other tools write them, and what a tenant may not name in one (D13). */
import { compileSettings, diagnoseSettings, resolveProviders } from '../index.ts';

const everybody = { mayNameSecrets: () => true };
const nobody = { mayNameSecrets: () => false };
const block = (provider: object, more: object = {}) => JSON.stringify({ provider, ...more });
const resolve = (layers: Record<string, string>, rules = everybody) => {
  const { settings } = compileSettings(Object.entries(layers).map(([layer, text]) => ({ layer, text })));
  return { settings, ...resolveProviders(settings, { ...rules, providerHosts: settings.providerHosts }) };
};

describe('a provider block', () => {
  it('copied from Brave Bot’s or opencode’s file means what it means there', () => {
    const { providers, refused } = resolve({
      workspace: block({
        openrouter: {
          name: 'OpenRouter',
          env: ['OPENROUTER_API_KEY'],
          models: { 'z-ai/glm-4.6': { limit: { context: 200000, output: 8192 } } },
        },
        lab: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Lab',
          options: { baseURL: 'https://models.example.com/v1', apiKey: '{env:LAB_KEY}' },
          models: { fast: { name: 'Fast', cost: { input: 1 }, limit: { context: 1 }, options: { seed: 1 } } },
        },
      }),
    });
    expect(refused).toEqual([]);
    expect(providers).toMatchObject([
      {
        ...{
          id: 'openrouter',
          name: 'OpenRouter',
          baseUrl: 'https://openrouter.ai/api/v1',
          keyNames: ['OPENROUTER_API_KEY'],
        },
        keysIn: 'sealed_secrets',
        models: [{ id: 'z-ai/glm-4.6', limit: { context: 200000, output: 8192 } }],
      },
      {
        ...{ id: 'lab', baseUrl: 'https://models.example.com/v1', keyNames: ['LAB_KEY'] },
        // Context without output is no limit; what is not known is read past.
        models: [{ id: 'fast', name: 'Fast', options: { seed: 1 } }],
      },
    ]);
    expect(providers[1]).not.toHaveProperty('inlineKey');
    expect(providers[1]!.models[0]).not.toHaveProperty('limit');
  });

  it('of a vendor that is known by its id leads to that vendor, and one that leads nowhere says what is missing', () => {
    const { providers, refused } = resolve({
      workspace: block({
        anthropic: { options: { apiKey: 'k' } },
        openai: { options: { apiKey: 'k' } },
        azure: { options: { resourceName: 'My-Resource', apiKey: 'k' } },
      }),
      user: block({ azure: { options: { resourceName: 'evil.example.com/', apiKey: 'k' } }, unheard: {} }),
    });
    expect(providers.map(({ kind, baseUrl }) => [kind, baseUrl])).toEqual([
      ['anthropic', 'https://api.anthropic.com/v1'],
      ['openai', 'https://api.openai.com/v1'],
    ]);
    expect(refused).toMatchObject([
      { id: 'azure', layer: 'user', text: expect.stringContaining('options.resourceName') },
      { id: 'unheard', text: expect.stringContaining('no options.baseURL') },
    ]);
    const { providers: azure } = resolve({ user: block({ azure: { options: { resourceName: 'My-Resource' } } }) });
    expect(azure).toMatchObject([{ kind: 'azure', baseUrl: 'https://my-resource.openai.azure.com/openai' }]);
  });

  it('is not needed where variables of the operator name an account and a model for each tier; a tenant’s reach no profile [settings.provider]', () => {
    const env = (more: object) =>
      JSON.stringify({
        env: { BRAVEBOT_USE_BEDROCK: '1', ANTHROPIC_DEFAULT_OPUS_MODEL: 'a.opus', AWS_PROFILE: 'prod', ...more },
      });
    expect(resolve({ platform: env({ AWS_REGION: 'eu-central-1' }) })).toMatchObject({
      providers: [
        {
          ...{ kind: 'amazon-bedrock', layer: 'platform', region: 'eu-central-1', profile: 'prod' },
          models: [{ id: 'a.opus', name: 'Opus (a.opus)' }],
        },
      ],
      tiers: { opus: 'a.opus' },
    });
    // A variable that a tenant may set chooses no host for the operator's signature.
    const elsewhere = JSON.stringify({ env: { AWS_REGION: 'evil.example.com/' } });
    expect(resolve({ platform: env({ AWS_REGION: 'eu-central-1' }), user: elsewhere }).providers).toEqual([]);
    expect(resolve({ platform: env({}) })).toMatchObject({
      ...{ providers: [], tiers: {} },
      refused: [{ id: 'amazon-bedrock', key: 'env.AWS_REGION' }],
    });
    const tenants = resolve({ platform: env({ BRAVEBOT_USE_BEDROCK: '0' }), workspace: env({ AWS_REGION: 'r' }) });
    expect(tenants.providers).toMatchObject([{ layer: 'workspace', profile: '', keysIn: 'sealed_secrets' }]);
    expect(resolve({ user: env({ AWS_REGION: 'r' }) }, nobody)).toMatchObject({ providers: [], tiers: {} });
  });

  it('of a closer layer replaces the one of its name whole', () => {
    const { providers } = resolve({
      platform: block({ lab: { env: ['OPERATOR_KEY'], options: { baseURL: 'https://a.example.com' } } }),
      user: block({ lab: { options: { baseURL: 'https://b.example.com', apiKey: 'k' } } }),
    });
    expect(providers).toMatchObject([
      { layer: 'user', baseUrl: 'https://b.example.com', keyNames: [], inlineKey: 'k' },
    ]);
  });

  it.each([
    ['a profile', { 'amazon-bedrock': { options: { region: 'us-west-2', profile: 'prod' } } }],
    ['a private address', { lab: { options: { baseURL: 'https://10.0.0.1/v1' } } }],
    ['the metadata service', { lab: { options: { baseURL: 'https://169.254.169.254/' } } }],
    ['a name inside', { lab: { options: { baseURL: 'https://vault.internal/' } } }],
    ['plain http', { lab: { options: { baseURL: 'http://models.example.com/' } } }],
    ['a file of a machine', { lab: { options: { baseURL: 'https://a.example.com', apiKey: '{file:/etc/passwd}' } } }],
    ['a part of a variable', { lab: { options: { baseURL: 'https://a.example.com', apiKey: 'x{env:HOME}' } } }],
    ['no destination', { lab: { env: ['K'] } }],
  ])('of a tenant that names %s is not in force, and says why [settings.provider]', (_, provider) => {
    for (const layer of ['workspace', 'user', 'conversation']) {
      const compiled = compileSettings([{ layer, text: block(provider) }]);
      const { providers, refused } = resolveProviders(compiled.settings, everybody);
      expect(providers).toEqual([]);
      const told = [...refused.map(({ text }) => text), ...compiled.settings.ignored.map(({ text }) => text)];
      expect(told).toHaveLength(1);
      const { ok } = diagnoseSettings(compiled, { ...everybody, families: [], secrets: [] });
      expect(ok).toBe(false);
    }
  });

  it('of a tenant for Bedrock signs with keys among sealed secrets, and of who may not see these not at all [settings.provider] [settings.secret-destination]', () => {
    const bedrock = block({ 'amazon-bedrock': { options: { region: 'us-west-2' } } });
    expect(resolve({ workspace: bedrock }).providers).toMatchObject([
      { keysIn: 'sealed_secrets', profile: '', keyNames: expect.arrayContaining(['AWS_SECRET_ACCESS_KEY']) },
    ]);
    expect(resolve({ platform: bedrock }).providers).toMatchObject([{ keysIn: 'operator', keyNames: [] }]);
    expect(resolve({ user: bedrock }, nobody)).toMatchObject({ providers: [], refused: [{ id: 'amazon-bedrock' }] });
  });

  it('of a tenant has its names looked up among sealed secrets and nowhere else [settings.provider]', () => {
    const lab = { lab: { env: ['PATH', 'BRAVO_DATABASE_URL'], options: { baseURL: 'https://a.example.com' } } };
    expect(resolve({ workspace: block(lab) }).providers).toMatchObject([{ keysIn: 'sealed_secrets' }]);
    expect(resolve({ platform: block(lab) }).providers).toMatchObject([{ keysIn: 'operator' }]);
  });

  it('of who may not see a secret sends none anywhere [settings.secret-destination]', () => {
    const lab = { lab: { env: ['SHARED_KEY'], options: { baseURL: 'https://mine.example.com' } } };
    const { providers, refused } = resolve({ user: block(lab) }, nobody);
    expect(providers).toEqual([]);
    expect(refused).toMatchObject([{ id: 'lab', text: expect.stringContaining('only an admin') }]);
    const spelled = { lab: { options: { baseURL: 'https://mine.example.com', apiKey: '{env:SHARED_KEY}' } } };
    expect(resolve({ user: block(spelled) }, nobody).providers).toEqual([]);
  });

  it('may name a host that the operator lists, and only the operator lists one [settings.provider]', () => {
    const lab = block({ lab: { options: { baseURL: 'https://models.internal/v1' } } });
    const list = JSON.stringify({ allowedProviderHosts: ['Models.Internal'] });
    expect(resolve({ platform: list, workspace: lab }).providers).toHaveLength(1);
    const own = JSON.stringify({ ...JSON.parse(lab), ...JSON.parse(list) });
    expect(resolve({ workspace: own }).providers).toEqual([]);
    expect(resolve({ workspace: own }).settings.ignored).toContainEqual(
      expect.objectContaining({ key: 'allowedProviderHosts' }),
    );
  });

  it('and a variable of a profile are of no use from a tenant or a repository [settings.provider]', () => {
    const text = JSON.stringify({ env: { AWS_PROFILE: 'prod', A: '1' } });
    expect(resolve({ user: text }).settings.effective).toEqual({ env: { A: '1' } });
    expect(resolve({ platform: text }).settings.effective).toEqual({ env: { A: '1', AWS_PROFILE: 'prod' } });
    expect(
      resolve({ repository: block({ lab: { options: { baseURL: 'https://a.example.com' } } }) }).providers,
    ).toEqual([]);
  });
});

describe('the diagnosis', () => {
  it('names what is in force, by which layer, and what it overrode, and never a value [settings.doctor]', () => {
    const text = (value: string) =>
      block(
        { lab: { env: ['LAB_KEY'], options: { baseURL: 'https://models.example.com/v1', apiKey: `key-${value}` } } },
        { model: `lab/${value}`, env: { TOKEN: `token-${value}` } },
      );
    const compiled = compileSettings([
      { layer: 'platform', text: text('weak') },
      { layer: 'workspace', text: text('strong') },
    ]);
    const told = diagnoseSettings(compiled, { ...everybody, families: ['Read'], secrets: ['LAB_KEY'] });
    expect(told).toMatchObject({
      ok: true,
      settings: expect.arrayContaining([{ key: 'model', layer: 'workspace', overridden: ['platform'] }]),
      variables: [{ key: 'env.TOKEN', layer: 'workspace', overridden: ['platform'] }],
      providers: [
        { id: 'lab', layer: 'workspace', host: 'models.example.com', credential: 'secret', names: ['LAB_KEY'] },
      ],
    });
    expect(JSON.stringify(told)).not.toMatch(/weak|strong/);
  });

  it('counts what each layer adds to a list of names and places', () => {
    const adds = (directories: string[], names: string[]) =>
      JSON.stringify({ permissions: { additionalDirectories: directories }, run: { scrubEnv: names } });
    const compiled = compileSettings([
      { layer: 'workspace', text: adds(['../a'], ['ONE', 'TWO']) },
      { layer: 'user', text: adds([], ['THREE']) },
    ]);
    expect(diagnoseSettings(compiled, { ...everybody, families: [], secrets: [] }).lists).toEqual([
      { key: 'permissions.additionalDirectories', layer: 'workspace', count: 1 },
      { key: 'run.scrubEnv', layer: 'workspace', count: 2 },
      { key: 'run.scrubEnv', layer: 'user', count: 1 },
    ]);
  });

  it('fails for what somebody wrote and what is not in force, with layer, key and line', () => {
    const told = diagnoseSettings(
      compileSettings([
        { layer: 'workspace', text: '{\n "model": "a",\n "model": "b"}' },
        {
          layer: 'user',
          text: JSON.stringify({
            permissions: { deny: ['Write(x)', 'Read(y)'] },
            provider: { lab: { env: ['K'], options: { baseURL: 'https://a.example.com' } } },
          }),
        },
      ]),
      { ...everybody, families: ['Read', 'Edit'], secrets: [] },
    );
    expect(told.ok).toBe(false);
    expect(told.rules).toEqual([{ list: 'deny', layer: 'user', count: 1 }]);
    expect(told.findings).toMatchObject([
      { severity: 'error', code: 'unparseable', layer: 'workspace', line: 3 },
      {
        severity: 'error',
        code: 'unreadable',
        layer: 'user',
        key: 'permissions.deny[0]',
        text: expect.stringContaining('write Edit(...)'),
      },
      { severity: 'error', code: 'credential_missing', key: 'provider.lab.env' },
    ]);
  });
});
