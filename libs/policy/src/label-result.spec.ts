import type { LabelledResult, ResultFacts } from './index.ts';
import { labelResult, TRUSTED_PRIVATE, TRUSTED_PUBLIC, UNTRUSTED_PRIVATE, UNTRUSTED_PUBLIC } from './index.ts';

const program: ResultFacts = {
  rule: { kind: 'program_output' },
  paths: [],
  inputs: [],
  proven: false,
  trustOutput: false,
  trustOutputOffered: true,
  alwaysQuarantined: false,
};
const STRANGE = [{ name: 'ref:1', label: UNTRUSTED_PRIVATE }];
const text = (label: LabelledResult['label'], released = false) => ({ kind: 'text', label, released });
const slot = (label: LabelledResult['label']) => ({ kind: 'slot', label });

describe('labelResult [quarantine.reference] [quarantine.release] [secrets.quarantined]', () => {
  it.each<[string, Partial<ResultFacts>, unknown]>([
    ['output of a plain yes', {}, slot(UNTRUSTED_PRIVATE)],
    ['output a person let through', { trustOutput: true }, text(TRUSTED_PRIVATE, true)],
    ['an answer that was not offered', { trustOutput: true, trustOutputOffered: false }, slot(UNTRUSTED_PRIVATE)],
    ['a proven program', { proven: true }, text(TRUSTED_PRIVATE)],
    ['vouched files', { rule: { kind: 'paths' }, paths: ['trusted', 'trusted'] }, text(TRUSTED_PRIVATE)],
    [
      'one file nobody vouched for',
      { rule: { kind: 'paths' }, paths: ['trusted', 'unmentioned'] },
      slot(UNTRUSTED_PRIVATE),
    ],
    ['a file of unreadable trust', { rule: { kind: 'paths' }, paths: ['unknown'] }, slot(UNTRUSTED_PRIVATE)],
    ['no file at all', { rule: { kind: 'paths' } }, slot(UNTRUSTED_PRIVATE)],
    [
      'a vouched picture',
      { rule: { kind: 'paths' }, paths: ['trusted'], alwaysQuarantined: true },
      slot(TRUSTED_PRIVATE),
    ],
    ['a fixed row', { rule: { kind: 'fixed', label: TRUSTED_PUBLIC } }, text(TRUSTED_PUBLIC)],
    ['a page', { rule: { kind: 'fixed', label: UNTRUSTED_PUBLIC } }, slot(UNTRUSTED_PUBLIC)],
    [
      'trust_output of a tool that has no such answer',
      { rule: { kind: 'fixed', label: UNTRUSTED_PUBLIC }, trustOutput: true },
      slot(UNTRUSTED_PUBLIC),
    ],
    [
      'taint of an unknown input',
      { rule: { kind: 'taint' }, inputs: [{ name: 'a', label: 'unknown' }] },
      slot(UNTRUSTED_PRIVATE),
    ],
    [
      'taint of what came trusted and public',
      { rule: { kind: 'taint' }, inputs: [{ name: 'a', label: TRUSTED_PUBLIC }] },
      text(TRUSTED_PUBLIC),
    ],
    ['taint of nothing', { rule: { kind: 'taint' } }, text(TRUSTED_PUBLIC)],
    [
      'an answer made of several inputs [processor.taint]',
      {
        rule: { kind: 'taint' },
        inputs: [
          { name: 'a', label: UNTRUSTED_PRIVATE },
          { name: 'instruction', label: TRUSTED_PUBLIC },
        ],
      },
      slot(UNTRUSTED_PRIVATE),
    ],
    [
      'what is asked for and was not let through',
      { rule: { kind: 'released' }, inputs: STRANGE },
      slot(UNTRUSTED_PRIVATE),
    ],
    [
      'what a person let through',
      { rule: { kind: 'released' }, inputs: STRANGE, approved: true },
      text(TRUSTED_PRIVATE, true),
    ],
    ['a release of nothing', { rule: { kind: 'released' } }, slot(UNTRUSTED_PRIVATE)],
    ['an answer nobody gave', { rule: { kind: 'answered' } }, slot(UNTRUSTED_PRIVATE)],
    ['a person’s answer', { rule: { kind: 'answered' }, approved: true }, text(TRUSTED_PUBLIC)],
    ['a rule nobody knows', { rule: { kind: 'other' } as unknown as ResultFacts['rule'] }, slot(UNTRUSTED_PRIVATE)],
  ])('%s', (_title, over, expected) => {
    expect(labelResult({ ...program, ...over })).toEqual(expected);
  });
});
