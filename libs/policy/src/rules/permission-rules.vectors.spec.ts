import { loadVectors, toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { compileRules, type RuleSource } from './compile-rules.ts';
import { RULE_LISTS, type RuleList } from './rule.ts';
import { ruleCandidate, toCandidate } from './rule-vectors.fixture.ts';

const cases = z.strictObject({
  ...toldFields,
  list: z.enum(['deny', 'ask', 'allow', 'any']),
  rule: z.string(),
  settingsDir: z.string().optional(),
  home: z.string().optional(),
  workspace: z.string().optional(),
  caseFolding: z.union([z.boolean(), z.literal('unknown')]).default('unknown'),
  platform: z.enum(['posix', 'windows']).default('posix'),
  candidate: ruleCandidate,
  matches: z.boolean(),
});

/** Whether the rule, alone in the list, decides the call. */
function matches(row: z.output<typeof cases>, list: RuleList): boolean {
  const source: RuleSource = { layer: 'user', settingsDir: row.settingsDir ?? '/srv/settings', [list]: [row.rule] };
  const compiled = compileRules([source], { ...row, home: row.home ?? '/home/nobody' });
  expect(compiled.dropped).toEqual([]);
  return compiled.judge(toCandidate(row.candidate)).verdict === list;
}

describe('permission-rules.yaml', () => {
  it.each(loadVectors('permission-rules', cases).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const lists = row.list === 'any' ? RULE_LISTS : [row.list];
    expect(lists.map((list) => [list, matches(row, list)])).toEqual(lists.map((list) => [list, row.matches]));
  });
});
