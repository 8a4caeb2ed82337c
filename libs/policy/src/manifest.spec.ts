import type { ToolManifest } from './index.ts';
import { checkManifest } from './index.ts';
import { toolManifest } from './facts.fixture.ts';

const schema = { properties: { path: {}, contents: {}, ref: {}, why: {} }, additionalProperties: false };

describe('checkManifest', () => {
  it('passes a whole one [policy.classified]', () => {
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
      {
        arguments: {
          path: { class: 'routing', reaches: 'read_path' },
          contents: { class: 'content' },
          ref: { class: 'content' },
        },
      },
      /"why"/,
    ],
    [
      'a class that does not exist',
      { arguments: { ...toolManifest().arguments, path: { class: 'both' as 'routing', reaches: 'read_path' } } },
      /class that does not exist/,
    ],
    [
      'a routing argument that does not say where it leads',
      { arguments: { ...toolManifest().arguments, path: { class: 'routing' } as never } },
      /"path" is routing and does not say where it leads/,
    ],
    [
      'a place that does not exist',
      { arguments: { ...toolManifest().arguments, path: { class: 'routing', reaches: 'anywhere' as 'directory' } } },
      /kind of place that does not exist/,
    ],
    [
      'content that leads somewhere',
      { arguments: { ...toolManifest().arguments, path: { class: 'content', reaches: 'read_path' as 'reference' } } },
      /leads somewhere, so it is routing/,
    ],
    [
      'a read that writes',
      { arguments: { ...toolManifest().arguments, path: { class: 'routing', reaches: 'write_path' } } },
      /is not a read/,
    ],
    [
      'an environment without a program',
      { arguments: { ...toolManifest().arguments, path: { class: 'routing', reaches: 'environment' } } },
      /the tool runs none/,
    ],
    ['an edit that names nothing it writes', { family: 'Edit', effect: 'write' }, /"write_path"/],
    ['a name a client could not use', { name: 'read file' }, /name/],
    ['a permission of its own', { permission: 'everything' as 'translate' }, /17 names/],
    ['no mode', { modes: [] }, /modes/],
    ['a confined tool that leaves', { external: true }, /confined/],
    ['a foreign tool that does not ask', { origin: 'foreign', confined: false }, /every time/],
    [
      'a foreign tool of no server',
      { origin: 'foreign', confined: false, defaultGate: 'every_time', family: 'Mcp' },
      /names its server/,
    ],
    [
      'a foreign tool of another family',
      {
        ...{ origin: 'foreign', confined: false, defaultGate: 'every_time', family: 'Read' },
        upstream: { server: 's', tool: 't' },
      },
      /family Mcp/,
    ],
    [
      'a foreign tool without a name there',
      {
        ...{ origin: 'foreign', confined: false, defaultGate: 'every_time', family: 'Mcp' },
        upstream: { server: 's', tool: '' },
      },
      /names its server and its tool/,
    ],
    ['a tool of ours that says it is foreign', { upstream: { server: 's', tool: 't' } }, /only a foreign tool/],
    ['a tool of ours in the family Mcp', { family: 'Mcp' }, /only a foreign tool/],
    ['a fetch that names no address', { family: 'WebFetch' }, /reaches a "url"/],
    [
      'an address of a tool that stays inside',
      { arguments: { ...toolManifest().arguments, path: { class: 'routing', reaches: 'url' } } },
      /so the tool is external/,
    ],
    ['no limit', { limits: { timeoutSeconds: 0, maxResultChars: 1 } }, /no "unlimited"/],
  ])('refuses %s', (_what, over, problem) => {
    expect(checkManifest(toolManifest(over), schema).join('\n')).toMatch(problem);
  });

  it('refuses an argument that nobody classified [policy.classified]', () => {
    const more = { ...schema, properties: { ...schema.properties, extra: {} } };
    expect(checkManifest(toolManifest(), more)).toEqual([expect.stringContaining('"extra" is not classified')]);
  });

  it('refuses a schema open to arguments nobody classified [policy.classified]', () => {
    expect(checkManifest(toolManifest(), { properties: schema.properties })).toHaveLength(1);
  });

  it('refuses an argument that says approved', () => {
    const tool = toolManifest({ arguments: { ...toolManifest().arguments, approved: { class: 'content' } } });
    expect(checkManifest(tool, { ...schema, properties: { ...schema.properties, approved: {} } })).toHaveLength(1);
  });
});
