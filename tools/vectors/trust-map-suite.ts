/** Replays the trust-map suite through the library. Guarantees that what a write asks is the decision's answer and not the table's alone. */
import type { Integrity, ToolManifest } from '@bravo/policy';
import { decide, judgeWrite, lookUpTrust, markAfterWrite, markBeforeWrite } from '@bravo/policy';
import { factsFor, toolManifest } from '@bravo/policy/facts.fixture';
import { caseOf } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { type Replay, suiteOf } from './suite.ts';

const rule = z.strictObject({ path: z.string(), trust: z.boolean() });
const trust = z.enum(['trusted', 'untrusted', 'unmentioned']);
const data = z.enum(['T', 'U']).transform((letter): Integrity => (letter === 'T' ? 'trusted' : 'untrusted'));
const outcome = z.enum(['complete', 'failed']).default('complete');

const writeRow = caseOf('write', {
  data,
  destination: trust,
  mode: z.literal('ask'),
  tableAsks: z.boolean(),
  asks: z.boolean(),
  outcome,
  after: trust,
});
const afterWriteRow = caseOf('afterWrite', {
  rules: z.array(rule),
  write: z.strictObject({ path: z.string(), data, outcome }),
  then: z.array(z.strictObject({ path: z.string(), expect: trust })),
});
export const trustMapRows = z.discriminatedUnion('kind', [
  caseOf('lookup', {
    rules: z.array(rule),
    path: z.string(),
    caseFolding: z.union([z.boolean(), z.literal('unknown')]).default('unknown'),
    expect: trust,
  }),
  writeRow,
  afterWriteRow,
]);

const writeFile: ToolManifest = toolManifest({
  name: 'write_file',
  effect: 'write',
  permission: 'manage_files',
  defaultGate: 'every_time',
});

export const trustMapSuite = suiteOf({
  name: 'trust-map',
  rows: trustMapRows,
  replay: (row): Replay => {
    switch (row.kind) {
      case 'lookup':
        return { expected: row.expect, actual: lookUpTrust(row.rules, row.path, row.caseFolding) };
      case 'afterWrite':
        return replayAfterWrite(row);
      case 'write':
        return replayWrite(row);
    }
  },
});

function replayAfterWrite({ rules, write, then }: z.output<typeof afterWriteRow>): Replay {
  const before = markBeforeWrite(rules, write.path);
  const after = markAfterWrite(before, write.path, write.data, write.outcome);
  return {
    expected: { during: 'untrusted', then },
    actual: {
      during: lookUpTrust(before, write.path),
      then: then.map(({ path }) => ({ path, expect: lookUpTrust(after, path) })),
    },
  };
}

function replayWrite({
  data: integrity,
  destination,
  tableAsks,
  asks,
  outcome: ended,
  after,
}: z.output<typeof writeRow>): Replay {
  const question = judgeWrite(integrity, destination);
  // The vectors' "ask" is the seed's default prompt mode; ours that can write at all is co-worker.
  const decision = decide(
    factsFor(writeFile, {
      arguments: { path: '/w/a', contents: 'x' },
      argumentLabels: {
        path: { integrity: 'trusted', confidentiality: 'public' },
        contents: { integrity, confidentiality: 'public' },
      },
      paths: [{ path: '/w/a', access: 'write', trust: destination, revision: null }],
    }),
  );
  const complete = ended === 'complete';
  return {
    expected: { tableAsks, asks: asks ? 'ask' : 'allow', after, ...(complete ? { promised: after } : {}) },
    actual: {
      tableAsks: question.tableAsks,
      asks: decision.effect,
      after: lookUpTrust(markAfterWrite([], '/w/a', integrity, ended), '/w/a'),
      ...(complete ? { promised: question.after } : {}),
    },
  };
}
