import { compileGlob } from '../index.ts';

describe('globs', () => {
  it.each([
    '{'.repeat(200_000),
    '{a,'.repeat(100_000),
    '{'.repeat(50_000) + 'a' + '}'.repeat(50_000),
    '{a,b}'.repeat(50_000),
  ])('read a very long run of braces', (pattern) => {
    expect(compileGlob(pattern).selects('a')).toBe(false);
  });
});
