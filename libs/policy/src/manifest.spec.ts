import type { ToolManifest } from './index.ts';
import { checkManifest } from './index.ts';
import { toolManifest } from './facts.fixture.ts';

const schema = { properties: { path: {}, contents: {}, ref: {}, why: {} }, additionalProperties: false };

describe('checkManifest', () => {
  it('passes a whole one', () => {
    expect(checkManifest(toolManifest(), schema)).toEqual([]);
  });

  it.each<[string, Partial<ToolManifest>, RegExp]>([
    [
      'an argument no schema has',
      { arguments: { ...toolManifest().arguments, extra: { class: 'content' } } },
      /not in the input schema/,
    ],
    [
      'no why',
      { arguments: { path: { class: 'routing' }, contents: { class: 'content' }, ref: { class: 'content' } } },
      /"why"/,
    ],
    [
      'a class that does not exist',
      { arguments: { ...toolManifest().arguments, path: { class: 'both' as 'routing' } } },
      /class that does not exist/,
    ],
    ['a name a client could not use', { name: 'read file' }, /name/],
    ['a permission of its own', { permission: 'everything' as 'translate' }, /17 names/],
    ['no mode', { modes: [] }, /modes/],
    ['a confined tool that leaves', { external: true }, /confined/],
    ['a foreign tool that does not ask', { origin: 'foreign', confined: false }, /every time/],
    ['no limit', { limits: { timeoutSeconds: 0, maxResultChars: 1 } }, /no "unlimited"/],
  ])('refuses %s', (_what, over, problem) => {
    expect(checkManifest(toolManifest(over), schema).join('\n')).toMatch(problem);
  });

  it('refuses a schema open to arguments nobody classified', () => {
    expect(checkManifest(toolManifest(), { properties: schema.properties })).toHaveLength(1);
  });

  it('refuses an argument that says approved', () => {
    const tool = toolManifest({ arguments: { ...toolManifest().arguments, approved: { class: 'content' } } });
    expect(checkManifest(tool, { ...schema, properties: { ...schema.properties, approved: {} } })).toHaveLength(1);
  });
});
