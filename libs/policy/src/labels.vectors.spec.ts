import { loadVectors } from '@bravo/testing/load-vectors';
import { labelsSuite } from '@bravo/tools/vectors/labels-suite';
import { readLabel, TRUSTED_PRIVATE, UNTRUSTED_PRIVATE, UNTRUSTED_PUBLIC } from './index.ts';

describe('labels.yaml [policy.labels]', () => {
  it.each(loadVectors(labelsSuite.name, labelsSuite.rows).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const { expected, actual } = labelsSuite.replay(row);
    expect(actual).toEqual(expected);
  });
});

describe('reading a label from outside', () => {
  it.each([
    [undefined, UNTRUSTED_PRIVATE],
    [null, UNTRUSTED_PRIVATE],
    ['trusted', UNTRUSTED_PRIVATE],
    [{}, UNTRUSTED_PRIVATE],
    [{ integrity: 'Trusted', confidentiality: 'PUBLIC' }, UNTRUSTED_PRIVATE],
    [{ integrity: '', confidentiality: 'public' }, UNTRUSTED_PUBLIC],
    [{ integrity: 'trusted' }, TRUSTED_PRIVATE],
  ])('%j', (value, expected) => {
    expect(readLabel(value)).toEqual(expected);
  });
});
