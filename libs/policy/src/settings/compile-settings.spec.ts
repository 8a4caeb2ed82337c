import { describe, expect, it } from '@jest/globals';
import { compileSettings, warnOfSettings } from '../index.ts';

const layers = (documents: Record<string, unknown>) =>
  Object.entries(documents).map(([layer, document]) => ({
    layer,
    text: typeof document === 'string' ? document : JSON.stringify(document),
  }));
const FAMILIES = ['Read', 'Edit', 'Bash'];

describe('stored settings', () => {
  it('become rules, layer by layer, whatever order they are given in', () => {
    const { rules, unreadableLayers } = compileSettings(
      layers({ user: { permissions: { allow: ['Edit(notes/**)'] } }, workspace: { permissions: { ask: ['Edit'] } } }),
    );
    expect(unreadableLayers).toEqual([]);
    expect(rules.judge({ family: 'Edit', path: 'notes/a.txt' })).toMatchObject({
      verdict: 'ask',
      ask: [{ rule: 'Edit', layer: 'workspace' }],
    });
  });

  it('that a program has no words in are reached by the whole family and by no rule that names words', () => {
    const bash = (rule: string, list: string) =>
      compileSettings(layers({ user: { permissions: { [list]: [rule] } } })).rules.judge({
        family: 'Bash',
        steps: [{ argv: [] }],
        privateInput: true,
      }).verdict;
    expect(['deny', 'ask', 'allow'].map((list) => bash('Bash', list))).toEqual(['deny', 'ask', 'none']);
    expect(bash('Bash(python *)', 'deny')).toBe('none');
  });

  it('that cannot be read are named, so that nobody takes them for empty', () => {
    expect(compileSettings(layers({ user: '{"permissions":', workspace: {} })).unreadableLayers).toEqual(['user']);
  });

  it('warn of what changes nothing, of the written layer alone', () => {
    const compiled = compileSettings(
      layers({
        workspace: { permissions: { deny: ['Read(secret/**)', 'Raed(x)'] } },
        user: {
          permissions: { deny: ['Write(a)', 'Read(/b)'], ask: ['Read(secret/a)'], allow: ['WebFetch'] },
          editorMode: 'ed',
          colour: 'crimson',
        },
      }),
    );
    expect(warnOfSettings(compiled, 'user', FAMILIES).map(({ code, key, rule }) => [code, key, rule])).toEqual([
      ['unreadable', 'permissions.deny[0]', 'Write(a)'],
      ['unreadable', 'permissions.deny[1]', 'Read(/b)'],
      ['no_tool', 'permissions.allow[0]', 'WebFetch'],
      ['shadowed', 'permissions.ask[0]', 'Read(secret/a)'],
      ['ignored', 'colour', ''],
      ['useless', 'editorMode', ''],
    ]);
    expect(JSON.stringify(warnOfSettings(compiled, 'user', FAMILIES))).not.toContain('crimson');
  });
});
