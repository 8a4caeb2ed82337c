/** A refusal is judged in its place: asked before the steps it stands on, it fails and refuses nothing by itself. */
import { describe, expect, it } from '@jest/globals';
import type { Facts } from './index.ts';
import { classOf, refuseByMode, refuseByOwnPermission, refuseByToolLists } from './decide-refusals.ts';
import { factsFor, toolManifest } from './facts.fixture.ts';

const read = toolManifest();
const unknownTool: Partial<Facts> = { tool: { kind: 'unknown', name: 'other' } };

describe('a step asked out of order', () => {
  it.each<[string, Partial<Facts>]>([
    ['without a tool', unknownTool],
    ['without a configuration', { config: 'unknown' }],
    ['without either', { ...unknownTool, config: 'unknown' }],
  ])('%s fails, which denies', (_, over) => {
    for (const step of [refuseByToolLists, refuseByMode, refuseByOwnPermission])
      expect(() => step(factsFor(read, over))).toThrow('judged out of order');
  });

  it('is answered where both are known', () => {
    for (const step of [refuseByToolLists, refuseByMode, refuseByOwnPermission])
      expect(step(factsFor(read))).toBeUndefined();
  });
});

describe('an argument without a class', () => {
  it.each(['path', 'unheard', 'toString', '__proto__'])('%s says where the call lands', (name) => {
    expect(classOf(read, name)).toBe('routing');
  });
});
