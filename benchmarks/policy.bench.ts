/** What a decision costs, and judging by rules beside Cedar with the same rules already parsed; lines and search patterns per second. */
import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import {
  compileLine,
  decide,
  type Facts,
  FRESH_CONTEXT,
  readSearchPattern,
  type ToolManifest,
  TRUSTED_PRIVATE,
  TRUSTED_PUBLIC,
} from '@bravo/policy';
import type { Benchmark, Measurement } from './benchmark.ts';
import { CALLS, compileOurs, cost, rulesOf } from './policy-rules.ts';

const judgeRules = (count: number, roundMs: number): Measurement => {
  const rules = rulesOf(count);
  const { judge } = compileOurs(count);
  const permit = 'permit (principal, action, resource);';
  const parsed = preparsePolicySet(`rules${count}`, {
    staticPolicies: [permit, ...rules.map(({ cedar }) => cedar)].join('\n'),
    templates: {},
    templateLinks: [],
  });
  if (parsed.type !== 'success') throw new Error(JSON.stringify(parsed.errors).slice(0, 500));
  const ask = (action: string, context: Record<string, string>): string => {
    const answer = statefulIsAuthorized({
      principal: { type: 'User', id: 'alice' },
      action: { type: 'Action', id: action },
      resource: { type: 'Workspace', id: 'acme' },
      context,
      preparsedPolicySetId: `rules${count}`,
      entities: [],
    });
    if (answer.type !== 'success') throw new Error(JSON.stringify(answer.errors).slice(0, 500));
    return answer.response.decision;
  };
  for (const { candidate, action, context } of CALLS) {
    if (judge(candidate).verdict !== 'none' || ask(action, context) !== 'allow')
      throw new Error('the two engines do not judge alike');
  }
  // Both must find a rule where there is one, or the race would be won by looking away.
  if (
    judge({ family: 'WebFetch', url: 'https://host4.example.com/' }).verdict !== 'deny' ||
    ask('WebFetch', { host: 'host4.example.com' }) !== 'deny'
  ) {
    throw new Error('a rule that forbids was not found');
  }
  return {
    name: `judging a call by ${count.toLocaleString('en')} rules`,
    unit: 'µs',
    compared: 'speed-up',
    ours: cost(() => CALLS.forEach(({ candidate }) => judge(candidate)), roundMs) / CALLS.length,
    reference: cost(() => CALLS.forEach(({ action, context }) => ask(action, context)), roundMs) / CALLS.length,
    ...(count === 1000 ? { goal: 20 } : {}),
  };
};

const manifest: ToolManifest = {
  name: 'read_file',
  title: 'Read a file',
  description: 'Reads a file of the workspace.',
  origin: 'first_party',
  arguments: { path: { class: 'routing', reaches: 'read_path' }, why: { class: 'content' } },
  family: 'Read',
  permission: 'view_content',
  effect: 'read',
  external: false,
  confined: true,
  runsCode: false,
  starts: 'nothing',
  defaultGate: 'none',
  resultLabel: { kind: 'fixed', label: TRUSTED_PRIVATE },
  modes: ['ask', 'coworker', 'voice'],
  limits: { timeoutSeconds: 30, maxResultChars: 100_000 },
};

const facts: Facts = {
  feature: 'on',
  config: {
    enabled: true,
    allowedTools: [],
    deniedTools: [],
    requireApproval: [],
    codeExecEnabled: true,
    policyVersion: 'p1',
  },
  tool: { kind: 'known', manifest, offered: true },
  principal: { userId: 'usr_1', conversationId: 'cnv_1', permissions: ['view_content'] },
  mode: 'coworker',
  context: FRESH_CONTEXT,
  arguments: { path: 'src/a.ts' },
  argumentLabels: { path: TRUSTED_PUBLIC },
  resolvedTargets: {},
  paths: [],
  inputs: [],
  writesThroughReference: false,
  credentials: [],
  assignsEnvironment: false,
  proven: false,
  rules: { deny: [], ask: [], allow: [] },
  grants: [],
  watched: true,
  personCanAnswer: true,
  now: 1_800_000_000_000,
};

/** What making 1,000 rules ready costs in time and memory; Cedar's own memory is inside its WebAssembly and is not told. */
const compiling = (roundMs: number): readonly Measurement[] => {
  const COUNT = 1_000;
  const KEPT = 20;
  const policies = rulesOf(COUNT)
    .map(({ cedar }) => cedar)
    .join('\n');
  const heap = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  const kept = Array.from({ length: KEPT }, () => compileOurs(COUNT));
  const bytes = (heap() - before) / KEPT;
  if (kept.some(({ rules }) => rules.length !== COUNT)) throw new Error('a rule of the benchmark is missing');
  return [
    {
      name: 'making 1,000 rules ready',
      unit: 'µs',
      ours: cost(() => compileOurs(COUNT), roundMs),
      reference: cost(() => {
        const documents = { staticPolicies: policies, templates: {}, templateLinks: [] };
        // One name, so that the engine keeps one set and not one for every round.
        if (preparsePolicySet('compiled', documents).type !== 'success') throw new Error('the rules were not read');
      }, roundMs),
    },
    { name: 'memory of 1,000 rules made ready', unit: 'KiB', ours: bytes / 1024 },
  ];
};

export const benchmark: Benchmark = {
  title: 'Policy: by rules / Cedar 4.13 with the same rules, already parsed',
  run: async ({ smoke }) => {
    const roundMs = smoke ? 10 : 100;
    const rows = [10, 100, 1_000, 10_000].map((count) => judgeRules(count, roundMs));
    const flat = {
      name: 'growth of ours from 10 to 10,000 rules',
      unit: 'µs',
      ours: rows[3]!.ours,
      reference: rows[0]!.ours,
      goal: 2,
    };
    const perSecond = (name: string, work: () => unknown): Measurement => ({
      name,
      unit: '/s',
      ours: 1e6 / cost(work, roundMs),
    });
    const line = "grep -n 'a b' src/*.ts | sort -u > out.txt && git log --oneline";
    const files = ['src/a.ts', 'src/b.ts'];
    if ('refused' in compileLine(line, { files, isProgram: () => true }))
      throw new Error('the line of the benchmark is refused');
    if (!readSearchPattern('(foo|ba+r)[0-9]{2,4}\\b').ok) throw new Error('the pattern of the benchmark is refused');
    return Promise.resolve([
      ...rows,
      flat,
      ...compiling(roundMs),
      perSecond('decisions', () => decide(facts)),
      perSecond('command lines compiled', () => compileLine(line, { files, isProgram: () => true })),
      perSecond('search patterns compiled', () => readSearchPattern('(foo|ba+r)[0-9]{2,4}\\b')),
    ]);
  },
};
