/** Turns a decision into a go or an answer. Guarantees that an asked call goes on for exactly one caller per yes, and that waiting can only end in a no. */
import { type Decision, decide } from '@bravo/policy';
import type { GatherFacts, Gathered } from '../tool-calls/gather-facts.ts';
import type { JudgedCall, ToolCallLedger } from '../tool-calls/tool-call-ledger.ts';
import { refusal, type ToolAnswer } from '../tool-calls/tool-call.ts';
import type { BoundEffect } from '../tools/effect.ts';
import type { TellTurn } from '../turn-notices/turn-notices.ts';
import { type Approval, type ApprovalStore, HOLD_SILENCE_MS } from './approval.ts';

export type Permit =
  { readonly kind: 'go'; readonly effect: BoundEffect } | { readonly kind: 'answer'; readonly answer: ToolAnswer };

export type RequestApproval = (gathered: Gathered, decision: Decision) => Promise<Permit>;

export interface ApprovalSteps {
  readonly ledger: ToolCallLedger;
  readonly approvals: ApprovalStore;
  readonly gatherFacts: GatherFacts;
  readonly notices: TellTurn;
  readonly newId: (kind: 'tc' | 'apr') => string;
  readonly now: () => number;
  readonly approvalTtlMs: number;
  /** Resolves after the time, or earlier when the approval changed in this process. */
  readonly pause: (approvalId: string, ms: number) => Promise<void>;
  /** Aborted when this process is about to end: holds are given back at once. */
  readonly stopping: AbortSignal;
}

const POLL_MS = 250;
const HEARTBEAT_MS = HOLD_SILENCE_MS / 3;

export const createRequestApproval = (steps: ApprovalSteps): RequestApproval => {
  const { ledger, approvals, notices, now } = steps;

  return async (gathered, decision) => {
    const { request, facts } = gathered;
    const call: JudgedCall = {
      toolCallId: steps.newId('tc'),
      request,
      policyVersion: facts.config === 'unknown' ? 'unknown' : facts.config.policyVersion,
    };
    const { conversationId } = request.agent;
    if (decision.effect === 'deny') {
      const text = `Refused: ${whyNot(decision, gathered.problems)}`;
      const rule = decision.rule === undefined ? {} : { rule: decision.rule };
      const stepUp =
        decision.stepUp === undefined
          ? {}
          : { stepUp: { currentMode: facts.mode, requiredMode: decision.stepUp.requiredMode } };
      const answer = refusal(text);
      await ledger.refuse(call, {
        step: decision.step,
        reasons: decision.reasons,
        ...rule,
        text: answer.text,
        ...stepUp,
      });
      await notices.tell(conversationId);
      return { kind: 'answer', answer };
    }
    const effectFacts = {
      decision,
      inputs: facts.inputs === 'unknown' ? [] : facts.inputs,
      contentIntegrity: gathered.contentIntegrity,
      writes: gathered.writes,
    };
    if (decision.effect === 'allow') {
      const effect = await ledger.start(call, effectFacts);
      await notices.tell(conversationId);
      return { kind: 'go', effect };
    }
    for (;;) {
      const open = await approvals.findOpen(conversationId, decision.boundTo.digest);
      if (open !== undefined) return await waitFor(steps, gathered, open.id);
      const question = { approvalId: steps.newId('apr'), expiresAt: new Date(now() + steps.approvalTtlMs) };
      if (await ledger.ask(call, effectFacts, question)) {
        await notices.tell(conversationId);
        return await waitFor(steps, gathered, question.approvalId);
      }
      // Somebody asked the identical question in between: meet theirs.
    }
  };
};

/** Holds the call until a person answered, the question ended, or the caller's patience did. */
const waitFor = async (steps: ApprovalSteps, gathered: Gathered, approvalId: string): Promise<Permit> => {
  const { approvals, ledger, now } = steps;
  const { request } = gathered;
  const deadline = request.waitsForPerson ? now() + request.holdMs : now();
  let lastBeat = 0;
  let waited = false;
  for (;;) {
    const approval = await approvals.find(approvalId);
    if (approval === undefined)
      return answered(
        refusal('The question is gone, so the call was not made. Make the call again if it is still needed.'),
      );
    const gone = request.signal.aborted || steps.stopping.aborted;
    switch (approval.status) {
      case 'approved': {
        if (gone) break;
        const obstacle = waited ? await recheck(steps, gathered, approval) : undefined;
        if (obstacle !== undefined) return answered(obstacle);
        const effect = await ledger.claim(approval.id);
        if (effect !== undefined) return { kind: 'go', effect };
        continue;
      }
      case 'pending':
      case 'executing':
        break;
      default: {
        const answer = await ledger.answerOf(approval.toolCallId);
        await approvals.deliver(approval.id);
        return answered(
          answer ??
            refusal('The question was withdrawn, so the call was not made. Make the call again if it is still needed.'),
        );
      }
    }
    if (gone || now() >= deadline) {
      await approvals.release(approval.id);
      return answered(waitingAnswer(approval));
    }
    if (now() - lastBeat >= HEARTBEAT_MS) {
      await approvals.hold(approval.id);
      lastBeat = now();
    }
    await steps.pause(approval.id, Math.min(POLL_MS, Math.max(deadline - now(), 1)));
    waited = true;
  }
};

/** Time has passed since the decision: the person may have lost the permission, a file may have changed. A yes never outlives what it was given for. */
const recheck = async (
  steps: ApprovalSteps,
  { request }: Gathered,
  approval: Approval,
): Promise<ToolAnswer | undefined> => {
  const gathered = await steps.gatherFacts(request);
  const again = decide(gathered.facts);
  if (again.effect !== 'deny' && again.boundTo.digest === approval.callDigest) return undefined;
  const answer =
    again.effect === 'deny'
      ? refusal(`Refused after the answer: ${whyNot(again, gathered.problems)}`)
      : refusal(
          'What the call would touch changed while the question waited, so the answer no longer fits. Make the call again; it is a new question.',
        );
  await steps.ledger.void(approval.id, again, answer.text);
  await steps.notices.tell(approval.conversationId);
  return answer;
};

/** Where something could not be read, what stood in the way says more than that it did. */
const whyNot = (decision: Decision, problems: readonly string[]): string =>
  (problems.length > 0 && decision.reasons.some((reason) => reason.code.endsWith('_unreadable'))
    ? problems
    : decision.reasons.map((reason) => reason.text)
  ).join(' ');

const answered = (answer: ToolAnswer): Permit => ({ kind: 'answer', answer });

const waitingAnswer = (approval: Approval): ToolAnswer =>
  approval.status === 'executing'
    ? stillRunning(approval)
    : {
        kind: 'waiting',
        text: `waiting for approval ${approval.id}: a person has to answer before ${approval.tool} is called. ${COME_BACK}`,
        approvalId: approval.id,
        toolCallId: approval.toolCallId,
      };

const COME_BACK = 'Make the identical call again later to pick up the answer; a changed call is a new question.';

/** What a call is told whose effect takes longer than the client waits: the identical call meets the same effect. */
export const stillRunning = ({ id, toolCallId, tool }: Pick<Approval, 'id' | 'toolCallId' | 'tool'>): ToolAnswer => ({
  kind: 'waiting',
  text: `still running: approval ${id} was given and ${tool} has not ended yet. ${COME_BACK}`,
  approvalId: id,
  toolCallId,
});
