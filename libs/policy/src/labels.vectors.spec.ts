import { loadVectors } from '@bravo/testing/load-vectors';
import { labelsSuite } from '@bravo/tools/vectors/labels-suite';
import {
  capabilityLabel,
  firstLabel,
  isAdmissible,
  readLabel,
  TRUSTED_PRIVATE,
  TRUSTED_PUBLIC,
  UNTRUSTED_PRIVATE,
  UNTRUSTED_PUBLIC,
} from './index.ts';

describe('labels.yaml [policy.labels]', () => {
  it.each(loadVectors(labelsSuite.name, labelsSuite.rows).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const { expected, actual } = labelsSuite.replay(row);
    expect(actual).toEqual(expected);
  });
});

describe('a label nobody wrote a case for', () => {
  it.each([
    ['the answer of a tool of somebody else', firstLabel({ kind: 'foreign_tool_result' }), UNTRUSTED_PRIVATE],
    ['a message without a label', firstLabel({ kind: 'unlabelled' }), UNTRUSTED_PRIVATE],
    ['a capability that only writes files', capabilityLabel('file_write'), undefined],
    ['a capability that only writes history', capabilityLabel('git_write'), undefined],
    ['a capability nobody knows', capabilityLabel('telepathy'), UNTRUSTED_PRIVATE],
  ])('%s', (_, label, expected) => {
    expect(label).toEqual(expected);
  });

  it('says where a call lands only where it is trusted and public', () => {
    const labels = [TRUSTED_PUBLIC, TRUSTED_PRIVATE, UNTRUSTED_PUBLIC, UNTRUSTED_PRIVATE];
    expect(labels.map((label) => isAdmissible('routing', label))).toEqual([true, false, false, false]);
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
