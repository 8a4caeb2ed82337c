/** Judging calls by rules beside Rego compiled to WebAssembly: the same deny rules, in its memory before a call comes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadPolicy } from '@open-policy-agent/opa-wasm';
import type { Benchmark, Measurement } from './benchmark.ts';
import { CALLS, compileOurs, cost, rulesOf } from './policy-rules.ts';

const compiled = (): Buffer => readFileSync(path.join(import.meta.dirname, 'opa', 'rules.wasm'));

const dataOf = (count: number) => {
  const rules: Record<string, string[]> = { Bash: [], Read: [], Edit: [] };
  const hosts: Record<string, boolean> = {};
  for (const {
    opa: [family, pattern],
  } of rulesOf(count)) {
    if (family === 'WebFetch') hosts[pattern] = true;
    else rules[family]?.push(pattern);
  }
  return { rules, hosts };
};

const judge = async (count: number, roundMs: number): Promise<Measurement> => {
  const { judge: ours } = compileOurs(count);
  const policy = await loadPolicy(compiled(), { initial: 5, maximum: 2048 });
  policy.setData(dataOf(count));
  const ask = (action: string, context: Record<string, string>): boolean => {
    const [answer] = policy.evaluate({
      family: action,
      text: context['command'] ?? context['path'] ?? '',
      host: context['host'] ?? '',
    }) as { result: boolean }[];
    if (answer === undefined) throw new Error('the policy gave no answer');
    return answer.result;
  };
  if (CALLS.some(({ action, context }) => ask(action, context))) throw new Error('the two engines do not judge alike');
  if (!ask('WebFetch', { host: 'host4.example.com' }) || !ask('Bash', { command: 'tool0 run it' }))
    throw new Error('a rule that forbids was not found');
  return {
    name: `judging a call by ${count.toLocaleString('en')} rules`,
    unit: 'µs',
    compared: 'speed-up',
    ours: cost(() => CALLS.forEach(({ candidate }) => ours(candidate)), roundMs) / CALLS.length,
    reference: cost(() => CALLS.forEach(({ action, context }) => ask(action, context)), roundMs) / CALLS.length,
  };
};

export const benchmark: Benchmark = {
  title: 'Policy: by rules / OPA 1.22 compiled to WebAssembly, the same rules as its data',
  run: async ({ smoke }) => {
    const rows: Measurement[] = [];
    for (const count of [10, 100, 1_000, 10_000]) rows.push(await judge(count, smoke ? 10 : 100));
    return rows;
  },
};
