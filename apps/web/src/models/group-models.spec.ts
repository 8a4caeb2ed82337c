import { describe, expect, it } from '@jest/globals';
import type { Model } from '../api/contract.ts';
import { formatWindow, groupModels } from './group-models.ts';

const model = (id: string, label: string, service: string): Model => ({
  ...{ id, label, service, service_label: service.toUpperCase(), context_tokens: null, effort: 'unknown', demo: false },
});
const MODELS = [model('a/one', 'First one', 'a'), model('b/two', 'Second', 'b'), model('a/three', 'Third', 'a')];
const idsOf = (words: string): string[][] =>
  groupModels(MODELS, words).map((group) => group.models.map(({ id }) => id));

describe('the rows of the picker', () => {
  it('stand under one heading per service', () => {
    expect(idsOf('')).toEqual([['a/one', 'a/three'], ['b/two']]);
  });

  it.each([
    ['SECOND', [['b/two']]],
    ['first a', [['a/one']]],
    ['a/', [['a/one', 'a/three']]],
    ['first b', []],
  ])('are narrowed by %s', (words, ids) => expect(idsOf(words)).toEqual(ids));

  it('say a window in short', () => {
    expect([null, 900, 131_072, 1_000_000, 1_050_000].map(formatWindow)).toEqual([
      '',
      '900 tokens',
      '131k tokens',
      '1M tokens',
      '1.1M tokens',
    ]);
  });
});
