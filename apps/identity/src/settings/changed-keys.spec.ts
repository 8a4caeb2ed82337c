import { describe, expect, it } from '@jest/globals';
import { changedKeys } from './changed-keys.ts';

describe('what changed between two settings documents', () => {
  it('is told by name, one level into a block, and never by value', () => {
    const before = JSON.stringify({ model: 'a', env: { A: 'secret', B: '1' }, permissions: { deny: ['Read(x)'] } });
    const after = JSON.stringify({ model: 'a', env: { A: 'other', B: '1' }, permissions: { ask: ['Edit'] }, run: {} });
    expect(changedKeys(before, after)).toEqual(['env.A', 'permissions.ask', 'permissions.deny', 'run']);
    expect(changedKeys(after, after)).toEqual([]);
  });

  it('says how many more there are than an event carries', () => {
    const many = JSON.stringify({ env: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`V${at}`, ''])) });
    const names = changedKeys('{}', many);
    expect(names).toHaveLength(50);
    expect(names.at(-1)).toBe('and 11 more');
  });
});
