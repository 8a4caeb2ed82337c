/** A workspace nobody has written into has its root and nothing else, and refuses a name as any other does. */
import { describe, expect, it } from '@jest/globals';
import { parsePath } from './parse-path.ts';
import { untouchedFacts } from './untouched-facts.ts';
import { WORKSPACE_LIMITS } from './workspace-limits.ts';

const NOTHING = { revision: '', exists: false, size: 0, kind: 'missing', caseFolding: false };

describe('a workspace nobody has written into', () => {
  it.each([
    ['notes/a.txt', 'notes/a.txt'],
    ['./notes//./a.txt/', 'notes/a.txt'],
    ['a..b/...', 'a..b/...'],
    ['n'.repeat(WORKSPACE_LIMITS.nameBytes), 'n'.repeat(WORKSPACE_LIMITS.nameBytes)],
  ])('has nothing at %j', (path, landing) => {
    expect(untouchedFacts(path)).toEqual({ ...NOTHING, landing });
  });

  it.each(['', '.', './', './/.'])('has its root at %j', (path) => {
    expect(untouchedFacts(path)).toEqual({ ...NOTHING, landing: '', exists: true, kind: 'directory' });
  });

  it.each([
    ['..', 'climbs with ".."'],
    ['../outside.txt', 'climbs with ".."'],
    ['a/../b', 'climbs with ".."'],
    ['a/b/..', 'climbs with ".."'],
    ['/etc/passwd', 'is absolute'],
    ['//', 'is absolute'],
    ['a\0b', 'holds a NUL character'],
    ['a\nb', 'control or invisible'],
    ['a\u200bb', 'control or invisible'],
    ['a\ud800b', 'control or invisible'],
    ['é/'.repeat(400), 'is longer than 1024 bytes'],
    ['d/'.repeat(33), 'is deeper than 32 directories'],
    ['é'.repeat(128), 'has a name longer than 255 bytes'],
  ])('refuses %j', (path, why) => {
    expect(() => untouchedFacts(path)).toThrow(why);
    expect(() => parsePath(path)).toThrow(why);
  });
});
