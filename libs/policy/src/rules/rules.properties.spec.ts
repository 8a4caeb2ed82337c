import fc from 'fast-check';
import { isBeyondAllowRules, type Candidate } from './candidate.ts';
import {
  compileRules,
  type CompiledRules,
  type RuleContext,
  type RuleSource,
  type RuleVerdict,
} from './compile-rules.ts';
import { RUNS } from '../facts-arbitrary.fixture.ts';
import { coversPart } from './cover-plainly.fixture.ts';
import { partsOf } from './judged-part.ts';
import type { RuleList } from './rule.ts';

const runs = RUNS;

/** A small alphabet, so that rules and calls meet often. */
const word = fc.constantFrom('a', 'b', 'ab', 'ba', 'aab', 'a b', 'b a', '*', 'a*', '*b', 'a*b', '', '-r', '..', '.');
const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const segment = fc.constantFrom('a', 'b', 'ab', '.env', '*', 'a*', '*b', '**', '.', '..', 'A', 'Ab');
const path = fc
  .tuple(fc.constantFrom('', './', '/', '//', '~/'), fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([lead, segments, isTree]) => `${lead}${segments.join('/')}${isTree ? '/**' : ''}`);
const host = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'test'), { minLength: 1, maxLength: 3 })
  .map((at) => at.join('.'));
const name = fc.constantFrom('mail', 'mail2', 'send', 'x');

const rule = fc.oneof(
  fc.constantFrom('Bash', 'Read', 'Edit', 'WebFetch', 'Mcp', 'Read(*)', 'Bash(*)', 'Bash(ls', 'Write(a)', ''),
  line.map((text) => `Bash(${text})`),
  line.map((text) => `Bash(${text}:*)`),
  path.map((text) => `Read(${text})`),
  path.map((text) => `Edit(${text})`),
  host.map((text) => `WebFetch(domain:${text})`),
  fc.tuple(name, name).map(([server, tool]) => `Mcp(${server}:${tool})`),
  name.map((server) => `Mcp(${server})`),
);
const rules = fc.array(rule, { maxLength: 8 });
const layer = fc.constantFrom('platform', 'workspace', 'user', 'repository', 'conversation' as const);

const place = fc
  .tuple(fc.constantFrom('', '/', '/home/me/', '/set*/'), fc.array(segment, { maxLength: 4 }))
  .map(([lead, segments]) => `${lead}${segments.join('/')}`);
const redirect = fc.record({
  op: fc.constantFrom('>', '>>', '<', '2>', '&>' as const),
  path: fc.oneof(place, fc.constant('/dev/null')),
});
const step = fc.record(
  { argv: fc.array(word, { minLength: 1, maxLength: 4 }), redirects: fc.array(redirect, { maxLength: 1 }) },
  { requiredKeys: ['argv'] },
);
const candidate: fc.Arbitrary<Candidate> = fc.oneof(
  fc.record({ family: fc.constant('Bash' as const), steps: fc.array(step, { minLength: 1, maxLength: 3 }) }),
  fc.record(
    {
      family: fc.constantFrom('Read', 'Edit' as const),
      path: place,
      landing: place,
      spellings: fc.array(place, { maxLength: 1 }),
    },
    { requiredKeys: ['family', 'path'] },
  ),
  fc.record({ family: fc.constant('WebFetch' as const), host }),
  fc.record({ family: fc.constant('Mcp' as const), server: name, tool: name }),
);
const context: fc.Arbitrary<RuleContext> = fc.record({
  home: fc.constantFrom('/home/me', null),
  caseFolding: fc.constantFrom(true, false, 'unknown' as const),
  platform: fc.constantFrom('posix', 'windows' as const),
});
const source: fc.Arbitrary<RuleSource> = fc.record({
  layer,
  deny: rules,
  ask: rules,
  allow: rules,
  settingsDir: fc.constantFrom('/set*', '/home/me', null),
});

/** The lists asked rule by rule, without any index. */
function judgePlainly(compiled: CompiledRules, around: RuleContext, call: Candidate) {
  const covering = (list: RuleList, part: ReturnType<typeof partsOf>[number]) =>
    compiled.rules.filter(
      (known) => known.list === list && coversPart(known.read, list, part, around.caseFolding === true),
    );
  for (const list of ['deny', 'ask'] as const) {
    const hits = new Set(partsOf(call, list, around).flatMap((part) => covering(list, part)));
    const first = compiled.rules.find((known) => hits.has(known));
    if (first !== undefined) return { verdict: list as RuleVerdict, decidedBy: [first.rule] };
  }
  const each = partsOf(call, 'allow', around).map((part) => covering('allow', part)[0]?.rule);
  const decidedBy = each.filter((known) => known !== undefined);
  const isGranted = !isBeyondAllowRules(call) && decidedBy.length === each.length && each.length > 0;
  return isGranted ? { verdict: 'allow' as RuleVerdict, decidedBy } : { verdict: 'none' as RuleVerdict, decidedBy: [] };
}

const STRICTNESS: readonly RuleVerdict[] = ['allow', 'none', 'ask', 'deny'];

describe('permission rules', () => {
  it('answers through the index exactly as rule by rule', () => {
    fc.assert(
      fc.property(fc.array(source, { maxLength: 3 }), context, candidate, (sources, around, call) => {
        const compiled = compileRules(sources, around);
        const { verdict, decidedBy } = compiled.judge(call);
        return JSON.stringify({ verdict, decidedBy }) === JSON.stringify(judgePlainly(compiled, around, call));
      }),
      runs,
    );
  });

  it('[policy.rules] never allows more for one more deny or ask rule', () => {
    fc.assert(
      fc.property(
        source,
        context,
        candidate,
        rule,
        fc.constantFrom('deny', 'ask' as const),
        (base, around, call, extra, list) => {
          const before = compileRules([base], around).judge(call).verdict;
          const after = compileRules([{ ...base, [list]: [...(base[list] ?? []), extra] }], around).judge(call).verdict;
          expect(STRICTNESS.indexOf(after)).toBeGreaterThanOrEqual(STRICTNESS.indexOf(before));
        },
      ),
      runs,
    );
  });

  it('[policy.rules] never overrides deny or ask by an allow rule', () => {
    fc.assert(
      fc.property(source, context, candidate, rule, (base, around, call, extra) => {
        const before = compileRules([base], around).judge(call);
        const after = compileRules([{ ...base, allow: [extra, ...(base.allow ?? [])] }], around).judge(call);
        expect([after.deny, after.ask]).toEqual([before.deny, before.ask]);
        if (before.verdict === 'deny' || before.verdict === 'ask') expect(after.verdict).toBe(before.verdict);
      }),
      runs,
    );
  });

  it('covers at least as much where a rule restricts as where it grants', () => {
    fc.assert(
      fc.property(rule, context, candidate, (text, around, call) => {
        const alone = (list: RuleList) =>
          compileRules([{ layer: 'user', settingsDir: '/set*', [list]: [text] }], around).judge(call)[list].length > 0;
        if (alone('allow')) expect([alone('deny'), alone('ask')]).toEqual([true, true]);
      }),
      runs,
    );
  });

  it('[policy.rules-named] reads any entry at all, and names what it cannot read', () => {
    fc.assert(
      fc.property(fc.anything(), (entry) => {
        const compiled = compileRules([{ layer: 'user', deny: [entry] }], {
          caseFolding: 'unknown',
          platform: 'posix',
        });
        expect(compiled.rules.length + compiled.dropped.length).toBe(1);
      }),
      runs,
    );
  });
});
