import type { Candidate } from './candidate.ts';
import { compileRules, type RuleSource } from './compile-rules.ts';

const around = { home: '/home/me', caseFolding: 'unknown', platform: 'posix' } as const;

/** As many rules as asked for, of every family and shape, none alike. */
function rulesFor(count: number): RuleSource {
  const shapes = [
    (n: number) => `Bash(tool${n} run *)`,
    (n: number) => `Bash(git * --option-${n})`,
    (n: number) => `Bash(* needle-${n} *)`,
    (n: number) => `Read(src/module${n}/**)`,
    (n: number) => `Read(secret${n}.pem)`,
    (n: number) => `Edit(**/generated${n}/*.ts)`,
    (n: number) => `Edit(*.ext${n})`,
    (n: number) => `WebFetch(domain:host${n}.example.com)`,
    (n: number) => `Mcp(server${n}:tool)`,
  ];
  const rules = Array.from({ length: count }, (_, n) => shapes[n % shapes.length]?.(n) ?? '');
  return { layer: 'user', deny: rules, ask: rules, allow: rules };
}

const calls: readonly Candidate[] = [
  { family: 'Bash', steps: [{ argv: ['git', 'commit', '-m', 'a line of some length that nothing matches'] }] },
  { family: 'Edit', path: 'src/app/parts/list/view.ts' },
  { family: 'WebFetch', url: 'https://docs.other.example.com/a' },
  { family: 'Mcp', server: 'mail', tool: 'send' },
];

/** The fastest of several rounds, in milliseconds: noise only ever adds. */
function timeOf(judge: (call: Candidate) => unknown): number {
  let best = Infinity;
  for (let round = 0; round < 15; round += 1) {
    const started = performance.now();
    for (let times = 0; times < 200; times += 1) calls.forEach(judge);
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

describe('the cost of judging', () => {
  it('[policy.rules-cost] does not grow with the number of rules', () => {
    const few = timeOf(compileRules([rulesFor(90)], around).judge);
    const many = timeOf(compileRules([rulesFor(9000)], around).judge);
    // A hundred times the rules; asking rule by rule would cost a hundred times as much.
    expect(many / few).toBeLessThan(8);
  });

  it.each([
    ['stars', `Bash(${'*a'.repeat(2000)}b)`, 'a'.repeat(60_000)],
    ['parts that almost fit', `Bash(*${'aaab*'.repeat(700)}c)`, 'aaa'.repeat(20_000)],
    ['double stars', `Read(${'**/a/'.repeat(700)}b)`, 'a/'.repeat(2000)],
    ['brackets', `Bash(${'('.repeat(4000)})`, '('.repeat(60_000)],
  ])('[policy.rules-cost] stays small for a hostile rule of %s', (_name, rule, text) => {
    const { judge, dropped } = compileRules([{ layer: 'user', deny: [rule] }], around);
    expect(dropped).toEqual([]);
    const started = performance.now();
    judge({ family: 'Bash', steps: [{ argv: [text] }] });
    judge({ family: 'Read', path: text });
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('reads a hundred thousand rules, most of them useless, without a pause anybody notices', () => {
    const rules = Array.from({ length: 100_000 }, (_, n) => (n % 2 === 0 ? `Bash(tool${n} *)` : `Bash(tool${n}`));
    const started = performance.now();
    const { dropped, judge } = compileRules([{ layer: 'user', deny: rules }], around);
    expect(dropped).toHaveLength(50_000);
    expect(judge({ family: 'Bash', steps: [{ argv: ['tool99998', 'x'] }] }).verdict).toBe('deny');
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
