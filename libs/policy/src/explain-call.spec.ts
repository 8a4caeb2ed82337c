import { describe, expect, it } from '@jest/globals';
import { decide, explainCall, STEPS, type Facts } from './index.ts';
import { configSnapshot, executeScript, factsFor, toolManifest } from './facts.fixture.ts';

const outcomes = (facts: Facts): string[] =>
  explainCall(facts)
    .steps.filter(({ outcome }) => outcome !== 'passed')
    .map(({ step, outcome }) => `${step} ${outcome}`);
const hit = (rule: string, layer: 'user' | 'workspace') => ({ rule, layer });

describe('an explanation', () => {
  it('shows the eleven steps, and after the one that refused nothing more', () => {
    const facts = factsFor(toolManifest(), { rules: { deny: [hit('Read(secret/**)', 'user')], ask: [], allow: [] } });
    const { steps, layer, decision, advice } = explainCall(facts);
    expect(steps.map(({ step }) => step)).toEqual(STEPS);
    expect(decision).toEqual(decide(facts));
    expect(layer).toBe('user');
    expect(advice).toEqual([expect.stringContaining('no other rule, grant or answer overrides it')]);
    expect(outcomes(facts)).toEqual([
      'deny_rules decided',
      'routing_integrity not_reached',
      'always_ask not_reached',
      'ask_rules not_reached',
      'standing_answers not_reached',
      'default_gate not_reached',
    ]);
  });

  it('names everything that asks, and the rule that asked first with its layer', () => {
    const facts = factsFor(toolManifest({ defaultGate: 'every_time' }), {
      rules: { deny: [], ask: [hit('Edit', 'workspace')], allow: [hit('Edit(notes/**)', 'user')] },
    });
    expect(outcomes(facts)).toEqual(['ask_rules decided', 'default_gate asks']);
    expect(explainCall(facts)).toMatchObject({ layer: 'workspace', decision: { effect: 'ask', rule: 'Edit' } });
  });

  it('shows the question that a standing answer settled', () => {
    const facts = factsFor(toolManifest({ defaultGate: 'every_time' }), {
      rules: { deny: [], ask: [], allow: [hit('Edit(notes/**)', 'user')] },
    });
    expect(outcomes(facts)).toEqual(['standing_answers decided', 'default_gate asks']);
    expect(explainCall(facts)).toMatchObject({ layer: 'user', decision: { effect: 'allow' } });
  });

  it('of a call that nothing speaks about says that its gate is open', () => {
    const { steps, layer } = explainCall(factsFor(toolManifest()));
    expect(steps.at(-1)).toMatchObject({ outcome: 'decided', reasons: [{ code: 'no_gate' }] });
    expect(layer).toBeUndefined();
  });

  it('of a failure inside reaches no step', () => {
    const facts = { ...factsFor(executeScript(), { arguments: {} }), rules: undefined as never };
    expect(explainCall(facts).decision.effect).toBe('deny');
    expect(outcomes(facts)).toHaveLength(STEPS.length);
  });

  it('says one sentence for two reasons of one kind', () => {
    const facts = factsFor(toolManifest({ defaultGate: 'every_time' }), {
      config: configSnapshot({ requireApproval: ['read_file'] }),
    });
    expect(explainCall(facts).advice).toHaveLength(1);
  });
});
