/** Replays the permission-rules suite through the library. Guarantees that a rule is judged alone in its list, and in each of the three where the case says any. */
import { compileRules, type RuleSource } from '@bravo/policy/rules/compile-rules';
import { RULE_LISTS, type RuleList } from '@bravo/policy/rules/rule';
import { ruleCandidate, toCandidate } from '@bravo/policy/rules/rule-vectors.fixture';
import { toldFields } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { suiteOf } from './suite.ts';

export const permissionRuleRows = z.strictObject({
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

export const permissionRulesSuite = suiteOf({
  name: 'permission-rules',
  rows: permissionRuleRows,
  replay: (row) => {
    const lists = row.list === 'any' ? RULE_LISTS : [row.list];
    return {
      expected: lists.map((list) => ({ list, dropped: [], matches: row.matches })),
      actual: lists.map((list) => ({ list, ...judgeAlone(row, list) })),
    };
  },
});

/** Whether the rule, alone in the list, decides the call. */
function judgeAlone(
  row: z.output<typeof permissionRuleRows>,
  list: RuleList,
): { dropped: unknown[]; matches: boolean } {
  const source: RuleSource = { layer: 'user', settingsDir: row.settingsDir ?? '/srv/settings', [list]: [row.rule] };
  const compiled = compileRules([source], { ...row, home: row.home ?? '/home/nobody' });
  return {
    dropped: compiled.dropped.map(({ entry }) => entry),
    matches: compiled.judge(toCandidate(row.candidate)).verdict === list,
  };
}
