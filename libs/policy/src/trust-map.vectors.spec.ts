import { z } from 'zod';
import type { Integrity, ToolManifest } from './index.ts';
import { decide, judgeWrite, lookUpTrust, markAfterWrite, markBeforeWrite } from './index.ts';
import { factsFor, toolManifest } from './facts.fixture.ts';
import { caseOf, loadVectors } from '@bravo/testing/load-vectors';

const rule = z.strictObject({ path: z.string(), trust: z.boolean() });
const trust = z.enum(['trusted', 'untrusted', 'unmentioned']);
const data = z.enum(['T', 'U']).transform((letter): Integrity => (letter === 'T' ? 'trusted' : 'untrusted'));
const outcome = z.enum(['complete', 'failed']).default('complete');

const cases = z.discriminatedUnion('kind', [
  caseOf('lookup', {
    rules: z.array(rule),
    path: z.string(),
    caseFolding: z.union([z.boolean(), z.literal('unknown')]).default('unknown'),
    expect: trust,
  }),
  caseOf('write', {
    data,
    destination: trust,
    mode: z.literal('ask'),
    tableAsks: z.boolean(),
    asks: z.boolean(),
    outcome,
    after: trust,
  }),
  caseOf('afterWrite', {
    rules: z.array(rule),
    write: z.strictObject({ path: z.string(), data, outcome }),
    then: z.array(z.strictObject({ path: z.string(), expect: trust })),
  }),
]);

const writeFile: ToolManifest = toolManifest({
  name: 'write_file',
  effect: 'write',
  permission: 'manage_files',
  defaultGate: 'every_time',
});

describe('trust-map.yaml', () => {
  it.each(loadVectors('trust-map', cases).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    if (row.kind === 'lookup') return expect(lookUpTrust(row.rules, row.path, row.caseFolding)).toBe(row.expect);
    if (row.kind === 'afterWrite') {
      const before = markBeforeWrite(row.rules, row.write.path);
      expect(lookUpTrust(before, row.write.path)).toBe('untrusted');
      const after = markAfterWrite(before, row.write.path, row.write.data, row.write.outcome);
      return expect(row.then.map(({ path }) => ({ path, expect: lookUpTrust(after, path) }))).toEqual(row.then);
    }
    const question = judgeWrite(row.data, row.destination);
    expect(question.tableAsks).toBe(row.tableAsks);
    expect(lookUpTrust(markAfterWrite([], '/w/a', row.data, row.outcome), '/w/a')).toBe(row.after);
    if (row.outcome === 'complete') expect(question.after).toBe(row.after);
    // The vectors' "ask" is the seed's default prompt mode; ours that can write at all is co-worker.
    const decision = decide(
      factsFor(writeFile, {
        arguments: { path: '/w/a', contents: 'x' },
        argumentLabels: {
          path: { integrity: 'trusted', confidentiality: 'public' },
          contents: { integrity: row.data, confidentiality: 'public' },
        },
        paths: [{ path: '/w/a', access: 'write', trust: row.destination, revision: null }],
      }),
    );
    return expect(decision.effect).toBe(row.asks ? 'ask' : 'allow');
  });

  it('reads a path from the root of the workspace with and without its leading slash', () => {
    const map = markAfterWrite([], 'notes/a.txt', 'trusted', 'complete');
    expect(['notes/a.txt', '/notes/a.txt', 'notes', 'a.txt'].map((path) => lookUpTrust(map, path))).toEqual([
      'trusted',
      'trusted',
      'unmentioned',
      'unmentioned',
    ]);
    expect(lookUpTrust(markBeforeWrite(map, '/notes/a.txt'), 'notes/a.txt')).toBe('untrusted');
  });

  it('answers nothing for an empty path or one that is not resolved', () => {
    const map = [{ path: '/', trust: true }];
    expect(['', '/w/../etc', './a', '..'].map((path) => lookUpTrust(map, path))).toEqual(Array(4).fill('unmentioned'));
  });

  it('ignores a rule that names nothing or is not resolved', () => {
    const map = ['', '.', 'w/..', '..'].map((path) => ({ path, trust: true }));
    expect(lookUpTrust(map, '/w/a')).toBe('unmentioned');
  });
});
