import { expect, it } from '@jest/globals';
import { trustOfName } from './trust-of-names.ts';

const map = [
  { path: 'notes/deep/a.txt', trust: true },
  { path: 'other/b.txt', trust: false },
  { path: 'marked', trust: false },
  { path: 'marked/c.txt', trust: true },
];

it.each([
  ['notes', 'trusted'],
  ['notes/deep', 'trusted'],
  ['notes/deep/a.txt', 'trusted'],
  ['note', 'unmentioned'],
  ['notes/else', 'unmentioned'],
  ['other', 'unmentioned'],
  ['marked', 'untrusted'],
] as const)('the name %s is %s', (path, trust) => {
  expect(trustOfName(map, path)).toBe(trust);
});
