import { describe, expect, it, jest } from '@jest/globals';
import { compileSettings } from '@bravo/policy';
import { createRulesOf, type StoredLayer } from './stored-layers.ts';

const layers = (text: string): readonly StoredLayer[] => [{ layer: 'user', version: 1, text }];

describe('rules of stored layers', () => {
  it('are compiled once for a policy version', () => {
    const compile = jest.fn(compileSettings);
    const rulesOf = createRulesOf(compile, 2);
    for (const version of ['a', 'b', 'a', 'c', 'a']) rulesOf(version, layers('{}'));
    expect(compile).toHaveBeenCalledTimes(3);
    rulesOf('b', layers('{}'));
    expect(compile).toHaveBeenCalledTimes(4);
  });

  it('that cannot be read are unknown, which denies', () => {
    const rulesOf = createRulesOf();
    expect(rulesOf('a', 'unknown')).toBe('unknown');
    expect(rulesOf('b', layers('{"permissions":'))).toBe('unknown');
    expect(rulesOf('b', layers('{}'))).not.toBe('unknown');
  });
});
