import { loadVectors, toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { isBeyondAllowRules } from './candidate.ts';
import { compileRules } from './compile-rules.ts';
import { judgeWatched } from './judge-watched.ts';
import { listCandidate, toCandidate } from './rule-vectors.fixture.ts';

const entries = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).default([]);

const cases = z.strictObject({
  ...toldFields,
  deny: entries,
  ask: entries,
  allow: entries,
  home: z.string().nullable().default('/home/someone'),
  settingsDir: z.string().nullable().default('/srv/settings'),
  unattended: z.boolean().default(false),
  candidate: listCandidate,
  verdict: z.enum(['deny', 'ask', 'allow', 'none']),
  decidedBy: z.array(z.string()),
  expectedDropped: z.array(z.unknown()).default([]),
});

describe('permission-lists.yaml', () => {
  it.each(loadVectors('permission-lists', cases).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const { deny, ask, allow, settingsDir } = row;
    const compiled = compileRules([{ layer: 'user', deny, ask, allow, settingsDir }], {
      home: row.home,
      caseFolding: 'unknown',
      platform: 'posix',
    });
    expect(compiled.dropped.map((dropped) => dropped.entry)).toEqual(row.expectedDropped);
    for (const dropped of compiled.dropped) expect(dropped.text).toMatch(/\.$/);

    const candidate = toCandidate(row.candidate);
    const judgement = judgeWatched(compiled.judge(candidate), !row.unattended);
    expect({ verdict: judgement.verdict, decidedBy: judgement.decidedBy }).toEqual({
      verdict: row.verdict,
      decidedBy: row.decidedBy,
    });
    if (isBeyondAllowRules(candidate)) expect(judgement.allow).toEqual([]);
  });
});
