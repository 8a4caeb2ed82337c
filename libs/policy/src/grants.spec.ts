/** What a grant may be for, and which call it speaks about: its own tool, every value it names, where a place leads, and its time. */
import { describe, expect, it } from '@jest/globals';
import type { Facts, Grant, JsonObject, ToolManifest } from './index.ts';
import { findGrant, refuseScope, scopeOfCall } from './grants.ts';
import { NOW, toolManifest } from './facts.fixture.ts';

const copy = toolManifest({
  name: 'copy_files',
  arguments: {
    from: { class: 'routing', reaches: 'read_path' },
    to: { class: 'routing', reaches: 'write_path' },
    under: { class: 'routing', reaches: 'directory' },
    format: { class: 'routing', reaches: 'nothing' },
    label: { class: 'routing', reaches: 'nothing' },
    contents: { class: 'content' },
  },
});
const say = toolManifest({ name: 'say', arguments: { text: { class: 'content' } } });

const call = (given: JsonObject, resolvedTargets: Facts['resolvedTargets'] = {}) => ({
  arguments: given,
  resolvedTargets,
  now: NOW,
});
const given = (scope: JsonObject, over: Partial<Grant> = {}): Grant => ({
  id: 'grt_1',
  tool: 'copy_files',
  scope,
  expiresAt: NOW + 1,
  ...over,
});
const found = (grants: readonly Grant[], manifest: ToolManifest, of: ReturnType<typeof call>): string | undefined =>
  findGrant(grants, manifest, of)?.id;

describe('a grant speaks about', () => {
  const toA = call({ to: 'link/a', format: 'zip' }, { to: '/w/a' });

  it.each<[string, Grant, boolean]>([
    ['a call that gives every value it names', given({ to: '/w/a', format: 'zip' }), true],
    ['one that gives more besides', given({ to: '/w/a' }), true],
    ['where a place leads, and not how it is spelled', given({ to: 'link/a' }), false],
    ['none that gives one of its values and not the other', given({ to: '/w/a', format: 'tar' }), false],
    ['none that leaves out a value it names', given({ to: '/w/a', label: 'x' }), false],
    ['none of another tool', given({ to: '/w/a' }, { tool: 'move_files' }), false],
    ['none at the end of its time', given({ to: '/w/a' }, { expiresAt: NOW }), false],
    ['none where it names nothing and the tool lands somewhere', given({}), false],
  ])('%s', (_, grant, speaks) => {
    expect(found([grant], copy, toA)).toBe(speaks ? 'grt_1' : undefined);
  });

  it('every call of a tool that lands nowhere', () => {
    expect(found([given({}, { tool: 'say' })], say, call({ text: 'hello' }))).toBe('grt_1');
    expect(found([given({}, { tool: 'copy_files' })], say, call({ text: 'hello' }))).toBeUndefined();
  });

  it.each(['from', 'to', 'under'])('no place in %s that nobody could resolve, whatever it says', (name) => {
    expect(found([given({ [name]: '/w/a' })], copy, call({ [name]: '/w/a' }))).toBeUndefined();
    expect(found([given({ [name]: '/w/a' })], copy, call({ [name]: 'a' }, { [name]: '/w/a' }))).toBe('grt_1');
  });

  it('a place only where the call gave it, though another fact names where it would lead', () => {
    expect(found([given({ to: '/w/a' })], copy, call({ format: 'zip' }, { to: '/w/a' }))).toBeUndefined();
  });

  it('what reaches nothing as it was given, though it were called like a place', () => {
    const ofFormat = call({ format: 'zip', label: 'x' }, { format: 'tar', label: 'y' });
    expect(found([given({ format: 'zip', label: 'x' })], copy, ofFormat)).toBe('grt_1');
    expect(found([given({ format: 'tar' })], copy, ofFormat)).toBeUndefined();
  });

  it('an argument no manifest has as it was given, by its own name and by none that every object has', () => {
    expect(found([given({ more: 1 })], copy, call({ more: 1 }))).toBe('grt_1');
    expect(found([given({ toString: 1 })], copy, call({ to: 'a' }, { to: '/w/a' }))).toBeUndefined();
  });

  it('the first of several that does', () => {
    const grants = [given({ to: '/w/b' }, { id: 'grt_b' }), given({ to: '/w/a' }), given({}, { id: 'grt_none' })];
    expect(found(grants, copy, toA)).toBe('grt_1');
  });
});

describe('the narrowest scope of a call', () => {
  it.each<[string, ToolManifest, ReturnType<typeof call>, JsonObject | undefined]>([
    [
      'has every routing argument, a place by where it leads, and no content',
      copy,
      call({ from: 'a', format: 'zip', more: true, contents: 'words' }, { from: '/w/a' }),
      { from: '/w/a', format: 'zip', more: true },
    ],
    ['is none where one of its places leads nobody knows where', copy, call({ from: 'a', format: 'zip' }), undefined],
    ['is none for a call that names nothing of a tool that lands somewhere', copy, call({ contents: 'x' }), undefined],
    ['is empty for a tool that lands nowhere', say, call({ text: 'hello' }), {}],
  ])('%s', (_, manifest, of, scope) => {
    expect(scopeOfCall(manifest, of)).toEqual(scope);
  });
});

describe('a scope a person may not grant', () => {
  it.each<[string, ToolManifest, readonly string[], JsonObject, string | undefined]>([
    ['names an argument there is none of', copy, [], { speed: 1 }, 'The tool copy_files takes no argument "speed".'],
    ['names what every object has', copy, [], { toString: 1 }, 'The tool copy_files takes no argument "toString".'],
    [
      'names content',
      copy,
      [],
      { to: 'a', contents: 'words' },
      '"contents" is content, which a grant does not name: leave it out, and any content is covered.',
    ],
    [
      'leaves out what no call can do without',
      copy,
      ['from', 'to', 'contents'],
      { format: 'zip' },
      'The scope must name from and to: a grant without would cover every one.',
    ],
    [
      'is empty for a tool that lands somewhere',
      copy,
      [],
      {},
      'The scope is empty. Name at least one argument with the exact value that is granted.',
    ],
  ])('%s', (_, manifest, required, scope, why) => {
    expect(refuseScope(manifest, required, scope)).toBe(why);
  });

  it.each<[string, ToolManifest, readonly string[], JsonObject]>([
    ['what no call can do without', copy, ['from', 'to', 'contents'], { from: 'a', to: 'b' }],
    ['one routing argument where none is required', copy, [], { format: 'zip' }],
    ['nothing, where the tool lands nowhere', say, ['text'], {}],
  ])('is not one that names %s', (_, manifest, required, scope) => {
    expect(refuseScope(manifest, required, scope)).toBeUndefined();
  });
});
