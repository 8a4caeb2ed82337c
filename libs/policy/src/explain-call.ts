/** Shows how a decision came about. Guarantees that the steps it shows are the ones `decide` took and that it says what would change the answer; it must never decide anything itself. */
import { decide } from './decide.ts';
import type { Decision, Reason, Step } from './decision.ts';
import { STEPS } from './decision.ts';
import { adviceFor } from './explain-advice.ts';
import type { Facts, RuleHit } from './facts.ts';
import { gatherQuestions } from './gather-questions.ts';
import { readFacts } from './read-facts.ts';

/**
 * `passed`: nothing to say. `asks`: it would have a person asked. `decided`: the answer comes from here; of an ask, the first
 * step that asks. `not_reached`: an earlier step had decided.
 */
export type StepOutcome = 'passed' | 'asks' | 'decided' | 'not_reached';

export interface ExplainedStep {
  readonly step: Exclude<Step, 'error'>;
  readonly outcome: StepOutcome;
  readonly reasons: readonly Reason[];
}

export interface Explanation {
  readonly decision: Decision;
  /** Whose settings the deciding rule is from; absent where no rule of settings decided. */
  readonly layer?: RuleHit['layer'];
  /** The eleven, in their order. */
  readonly steps: readonly ExplainedStep[];
  /** What would change the answer: one sentence per kind of reason. */
  readonly advice: readonly string[];
}

export function explainCall(facts: Facts): Explanation {
  const decision = decide(facts);
  const layer = layerOf(facts, decision);
  return {
    decision,
    ...(layer === undefined ? {} : { layer }),
    steps: decision.effect === 'deny' ? refusedSteps(decision) : answeredSteps(facts, decision),
    advice: adviceFor(decision.reasons),
  };
}

function refusedSteps({ step: decided, reasons }: Decision): readonly ExplainedStep[] {
  const at = STEPS.findIndex((step) => step === decided);
  return STEPS.map((step, place) => {
    if (place === at) return { step, outcome: 'decided', reasons };
    return { step, outcome: place < at ? 'passed' : 'not_reached', reasons: [] };
  });
}

function answeredSteps(facts: Facts, decision: Decision): readonly ExplainedStep[] {
  const read = readFacts(facts);
  const questions = 'effect' in read ? [] : gatherQuestions(read).questions;
  return STEPS.map((step) => {
    const asked = questions.filter((question) => question.step === step).map(({ reason }) => reason);
    if (step === decision.step)
      return { step, outcome: 'decided', reasons: asked.length > 0 ? asked : decision.reasons };
    return { step, outcome: asked.length > 0 ? 'asks' : 'passed', reasons: asked };
  });
}

function layerOf({ rules }: Facts, { rule, reasons }: Decision): RuleHit['layer'] | undefined {
  if (rule === undefined || rules === 'unknown') return undefined;
  const hits = { deny_rule: rules.deny, ask_rule: rules.ask, allow_rule: rules.allow } as Partial<
    Record<Reason['code'], readonly RuleHit[]>
  >;
  const deciding = reasons.find(({ code }) => hits[code] !== undefined);
  return (deciding && hits[deciding.code])?.find((hit) => hit.rule === rule)?.layer;
}
