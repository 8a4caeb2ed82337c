/** Everything a person would be asked about one call, from step 7 (private words) to the tool's own gate. Guarantees the order of the steps; it must never answer a question. */
import type { Reason } from './decision.ts';
import { judgeDefaultGate } from './decide-answers.ts';
import { judgeAlwaysAsk, judgeAskRules, judgePrivateRouting, type Question } from './decide-questions.ts';
import type { ReadFacts } from './read-facts.ts';

export interface Questions {
  readonly questions: readonly Question[];
  readonly promoted: readonly string[];
  /** What the gate says where nothing is asked. */
  readonly passed: Reason;
}

export function gatherQuestions(facts: ReadFacts): Questions {
  const { questions: routing, promoted } = judgePrivateRouting(facts);
  const gate = judgeDefaultGate(facts);
  return {
    questions: [...routing, ...judgeAlwaysAsk(facts), ...judgeAskRules(facts), ...gate.questions],
    promoted,
    passed: gate.passed,
  };
}
