/** The rules and calls of the policy benchmarks, in each engine's own language, and how a call is timed. Guarantees that every engine is given the same rules. */
import { type Candidate, compileRules } from '@bravo/policy';

/** Microseconds for one call: the best of several rounds, because noise only ever adds. */
export const cost = (work: () => unknown, roundMs: number): number => {
  let times = 1;
  for (;;) {
    const begun = performance.now();
    for (let n = 0; n < times; n += 1) work();
    if (performance.now() - begun > roundMs / 4) break;
    times *= 2;
  }
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    for (let n = 0; n < times; n += 1) work();
    best = Math.min(best, ((performance.now() - begun) * 1000) / times);
  }
  return best;
};

export interface Spelled {
  readonly ours: string;
  readonly cedar: string;
  /** Family and pattern; a host is matched as it is. */
  readonly opa: readonly [family: string, pattern: string];
}

/** The same rule in each language, of every family, none alike. */
const SHAPES: readonly ((n: number) => Spelled)[] = [
  (n) => ({
    ours: `Bash(tool${n} run *)`,
    cedar: `forbid (principal, action == Action::"Bash", resource) when { context.command like "tool${n} run *" };`,
    opa: ['Bash', `tool${n} run *`],
  }),
  (n) => ({
    ours: `Bash(git * --option-${n})`,
    cedar: `forbid (principal, action == Action::"Bash", resource) when { context.command like "git * --option-${n}" };`,
    opa: ['Bash', `git * --option-${n}`],
  }),
  (n) => ({
    ours: `Read(src/module${n}/**)`,
    cedar: `forbid (principal, action == Action::"Read", resource) when { context.path like "src/module${n}/*" };`,
    opa: ['Read', `src/module${n}/*`],
  }),
  (n) => ({
    ours: `Edit(**/generated${n}/*.ts)`,
    cedar: `forbid (principal, action == Action::"Edit", resource) when { context.path like "*/generated${n}/*.ts" };`,
    opa: ['Edit', `*/generated${n}/*.ts`],
  }),
  (n) => ({
    ours: `WebFetch(domain:host${n}.example.com)`,
    cedar: `forbid (principal, action == Action::"WebFetch", resource) when { context.host == "host${n}.example.com" };`,
    opa: ['WebFetch', `host${n}.example.com`],
  }),
];

export const rulesOf = (count: number) => Array.from({ length: count }, (_, n) => SHAPES[n % SHAPES.length]!(n));

export const CALLS: readonly { candidate: Candidate; action: string; context: Record<string, string> }[] = [
  {
    candidate: { family: 'Bash', steps: [{ argv: ['git', 'commit', '-m', 'a line that nothing matches'] }] },
    action: 'Bash',
    context: { command: 'git commit -m a line that nothing matches' },
  },
  {
    candidate: { family: 'Edit', path: 'src/app/parts/view.ts' },
    action: 'Edit',
    context: { path: 'src/app/parts/view.ts' },
  },
  {
    candidate: { family: 'WebFetch', url: 'https://docs.other.example.com/a' },
    action: 'WebFetch',
    context: { host: 'docs.other.example.com' },
  },
];

/** Our own, made ready once. @throws Error where a rule of the benchmark cannot be read. */
export const compileOurs = (count: number) => {
  const compiled = compileRules([{ layer: 'user', deny: rulesOf(count).map(({ ours }) => ours) }], {
    home: '/home/me',
    caseFolding: false,
    platform: 'posix',
  });
  if (compiled.dropped.length > 0) throw new Error(`${compiled.dropped.length} rules could not be read`);
  return compiled;
};
