/** Replays the permission-lists suite through the library. Guarantees that what was dropped, what decided and what no allow rule may answer are compared, not the verdict alone. */
import { isBeyondAllowRules } from '@bravo/policy/rules/candidate';
import { compileRules } from '@bravo/policy/rules/compile-rules';
import { judgeWatched } from '@bravo/policy/rules/judge-watched';
import { listCandidate, toCandidate } from '@bravo/policy/rules/rule-vectors.fixture';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { suiteOf } from './suite.ts';

const entries = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).default([]);

export const permissionListRows = z.strictObject({
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

export const permissionListsSuite = suiteOf({
  name: 'permission-lists',
  rows: permissionListRows,
  replay: ({
    deny,
    ask,
    allow,
    home,
    settingsDir,
    unattended,
    candidate: written,
    verdict,
    decidedBy,
    expectedDropped,
  }) => {
    const compiled = compileRules([{ layer: 'user', deny, ask, allow, settingsDir }], {
      home,
      caseFolding: 'unknown',
      platform: 'posix',
    });
    const candidate = toCandidate(written);
    const judgement = judgeWatched(compiled.judge(candidate), !unattended);
    return {
      expected: { dropped: expectedDropped, verdict, decidedBy, allowsBeyond: false, everyDropExplained: true },
      actual: {
        dropped: compiled.dropped.map(({ entry }) => entry),
        verdict: judgement.verdict,
        decidedBy: [...judgement.decidedBy],
        allowsBeyond: isBeyondAllowRules(candidate) && judgement.allow.length > 0,
        everyDropExplained: compiled.dropped.every(({ text }) => text.endsWith('.')),
      },
    };
  },
});
