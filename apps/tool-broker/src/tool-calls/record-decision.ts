/** Puts a decision on record that needs no person: a refusal becomes the answer, an allowed call goes on. Nothing goes on that is not recorded. */
import type { Allowed, Decision, Denied } from '@bravo/policy';
import type { BoundEffect } from '../tools/effect.ts';
import type { TellTurn } from '../turn-notices/turn-notices.ts';
import type { Gathered } from './gather-facts.ts';
import type { EffectFacts, JudgedCall, ToolCallLedger } from './tool-call-ledger.ts';
import { refusal, type ToolAnswer } from './tool-call.ts';

export type Permit =
  { readonly kind: 'go'; readonly effect: BoundEffect } | { readonly kind: 'answer'; readonly answer: ToolAnswer };

export type RecordDecision = (gathered: Gathered, decision: Denied | Allowed) => Promise<Permit>;

export interface RecordDecisionParts {
  readonly ledger: Pick<ToolCallLedger, 'refuse' | 'start'>;
  readonly notices: TellTurn;
  readonly newToolCallId: () => string;
}

export const createRecordDecision =
  ({ ledger, notices, newToolCallId }: RecordDecisionParts): RecordDecision =>
  async (gathered, decision) => {
    const call = judged(gathered, newToolCallId());
    const { conversationId } = call.request.agent;
    if (decision.effect === 'allow') {
      const effect = await ledger.start(call, effectFacts(gathered, decision));
      await notices.tell(conversationId);
      return { kind: 'go', effect };
    }
    const { step, reasons, rule, stepUp } = decision;
    const answer = refusal(`Refused: ${whyNot(decision, gathered.problems)}`);
    await ledger.refuse(call, {
      step,
      reasons,
      text: answer.text,
      ...(rule === undefined ? {} : { rule }),
      ...(stepUp === undefined ? {} : { stepUp: { currentMode: gathered.facts.mode, ...stepUp } }),
    });
    await notices.tell(conversationId);
    return { kind: 'answer', answer };
  };

export const judged = ({ request, facts }: Gathered, toolCallId: string): JudgedCall => ({
  toolCallId,
  request,
  policyVersion: facts.config === 'unknown' ? 'unknown' : facts.config.policyVersion,
});

export const effectFacts = (
  { facts, contentIntegrity, writes }: Gathered,
  decision: EffectFacts['decision'],
): EffectFacts => ({
  decision,
  inputs: facts.inputs === 'unknown' ? [] : facts.inputs,
  contentIntegrity,
  writes,
});

/** Where something could not be read, what stood in the way says more than that it did. */
export const whyNot = (decision: Decision, problems: readonly string[]): string =>
  (problems.length > 0 && decision.reasons.some((reason) => reason.code.endsWith('_unreadable'))
    ? problems
    : decision.reasons.map((reason) => reason.text)
  ).join(' ');
