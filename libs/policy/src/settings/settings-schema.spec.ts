import { z } from 'zod';
import { mergeSettings, SETTINGS_SCHEMA } from '../index.ts';

const validator = z.fromJSONSchema(SETTINGS_SCHEMA as Parameters<typeof z.fromJSONSchema>[0]);
const validate = (document: unknown): boolean => validator.safeParse(document).success;

const EVERYTHING = {
  model: 'sonnet',
  fallbackModel: 'haiku',
  instructions: 'Write plainly.',
  editorMode: 'VIM',
  env: { A: '1' },
  provider: {
    openrouter: { name: 'O', env: ['K'], models: { 'z-ai/glm-4.6': { limit: { context: 200_000, output: 8_192 } } } },
  },
  permissions: {
    deny: ['Read(.env)'],
    ask: ['Bash(x)'],
    allow: ['Bash(y)'],
    additionalDirectories: ['../a'],
    defaultMode: 'acceptEdits',
  },
  run: { scrubEnv: ['T'], maxOutput: 1 },
  search: { maxFiles: 1, maxSeconds: 1 },
  vetting: { auto: true },
  limits: {
    personDailyTokens: 1,
    workspaceDailyTokens: 1,
    conversationTokens: 1,
    treeTokens: 1,
    contextTokens: 1,
    personMonthlyCents: 1,
    workspaceMonthlyCents: 1,
  },
  allowedProviderHosts: ['models.internal'],
  locked: ['model'],
};

/** `a`, and `a.b` where what stands under `a` has keys with names of their own. */
function dotted(object: object, inside: (key: string) => object | undefined): string[] {
  const keys = Object.keys(object);
  return keys.flatMap((key) => [key, ...Object.keys(inside(key) ?? {}).map((name) => `${key}.${name}`)]).sort();
}

describe('the schema of settings', () => {
  it('knows the keys the merge reads, and no other', () => {
    const properties = SETTINGS_SCHEMA['properties'] as Record<string, { properties?: object }>;
    const { permissions, run, search, vetting, limits } = EVERYTHING;
    const blocks: Record<string, object> = { permissions, run, search, vetting, limits };
    expect(dotted(properties, (key) => properties[key]?.properties)).toEqual(dotted(EVERYTHING, (key) => blocks[key]));
    const merged = mergeSettings([{ layer: 'platform', text: JSON.stringify(EVERYTHING) }], {
      whyUnreadable: () => undefined,
    });
    expect([merged.ignored, merged.useless, merged.problems]).toEqual([[], [], []]);
  });

  it('accepts what the merge takes, and names what it would find useless', () => {
    expect(validate(EVERYTHING)).toBe(true);
    expect(validate({ hooks: {}, permissions: { unheard: 1 } })).toBe(true);
    for (const wrong of [
      { model: 5 },
      { env: { A: 1 } },
      { permissions: { deny: 'Bash' } },
      { search: { maxFiles: 0 } },
      { editorMode: 'nano' },
    ]) {
      expect([wrong, validate(wrong)]).toEqual([wrong, false]);
    }
  });
});
