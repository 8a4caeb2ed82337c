/** Tools and answers the specs of `decide` share; production code must never import it. */
import type { Decision, Facts, ReasonCode, Step } from './index.ts';
import { decide, TRUSTED_PRIVATE } from './index.ts';
import { executeScript, factsFor, NOW, toolManifest } from './facts.fixture.ts';

type Expected = [effect: Decision['effect'], step: Step, reason: ReasonCode];
export type Row = [title: string, facts: Facts, expected: Expected];

/** What a row expects: the effect, the step that decided, and the first reason. */
export const decided = (facts: Facts): unknown[] => {
  const decision = decide(facts);
  return [decision.effect, decision.step, decision.reasons[0]?.code];
};

export const read = toolManifest();
export const write = toolManifest({
  name: 'write_file',
  effect: 'write',
  permission: 'manage_files',
  defaultGate: 'every_time',
});
export const script = executeScript();
export const fetchUrl = toolManifest({ name: 'fetch_url', external: true, confined: false, defaultGate: 'every_time' });
export const foreign = toolManifest({
  name: 'weather_now',
  origin: 'foreign',
  family: 'Mcp',
  upstream: { server: 'weather', tool: 'now' },
  confined: false,
  external: true,
  defaultGate: 'every_time',
});
export const merge = toolManifest({
  name: 'merge_stream',
  effect: 'destructive',
  confined: false,
  permission: 'view_content',
});
export const question = toolManifest({
  name: 'ask_user',
  arguments: { text: { class: 'content' }, why: { class: 'content' } },
  starts: 'question',
});

export const code = { language: 'python', code: 'print(6*7)' };
export const rule = (text: string) => ({ rule: text, layer: 'user' as const });
export const rules = (over: Partial<Exclude<Facts['rules'], 'unknown'>>) => ({ deny: [], ask: [], allow: [], ...over });
export const grant = (tool: string, scope = { path: '/w/a.txt' }, expiresAt = NOW + 1) => ({
  id: 'grt_1',
  tool,
  scope,
  expiresAt,
});
export const fallen = { integrity: 'untrusted', holdsPrivate: false } as const;
export const privatePath = {
  argumentLabels: { path: TRUSTED_PRIVATE },
  context: { integrity: 'trusted', holdsPrivate: true },
} as const;
export const person = factsFor(read).principal;
