/** Asks a person and holds the call. Guarantees that an asked call goes on for exactly one caller per yes, and that waiting can only end in a no. */
import { type Asked, decide } from '@bravo/policy';
import type { GatherFacts, Gathered } from '../tool-calls/gather-facts.ts';
import type { LiveEffects } from '../tool-calls/live-effects.ts';
import { effectFacts, judged, type Permit, whyNot } from '../tool-calls/record-decision.ts';
import type { ToolCallLedger } from '../tool-calls/tool-call-ledger.ts';
import { refusal, type ToolAnswer } from '../tool-calls/tool-call.ts';
import type { PrepareQuestion } from '../previews/prepare-question.ts';
import type { TellTurn } from '../turn-notices/turn-notices.ts';
import { type Approval, type ApprovalStore, HOLD_SILENCE_MS } from './approval.ts';
import { refuseQuestion, WINDOW_MS } from './limit-questions.ts';
import { waitingAnswer } from './waiting-answer.ts';

export type RequestApproval = (gathered: Gathered, decision: Asked) => Promise<Permit>;

export interface ApprovalSteps {
  readonly ledger: ToolCallLedger;
  readonly approvals: ApprovalStore;
  readonly prepareQuestion: PrepareQuestion;
  readonly gatherFacts: GatherFacts;
  readonly notices: TellTurn;
  readonly live: Pick<LiveEffects, 'attend'>;
  readonly newId: (kind: 'tc' | 'apr') => string;
  readonly now: () => number;
  readonly approvalTtlMs: number;
  /** Resolves after the time, or earlier when the approval changed in this process. */
  readonly pause: (approvalId: string, ms: number) => Promise<void>;
  /** Aborted when this process is about to end: holds are given back at once. */
  readonly stopping: AbortSignal;
}

/** How often a held call looks at its question. */
export const POLL_MS = 250;
const HEARTBEAT_MS = HOLD_SILENCE_MS / 3;

export const createRequestApproval = (steps: ApprovalSteps): RequestApproval => {
  const { ledger, approvals, notices, now } = steps;

  return async (gathered, decision) => {
    const call = judged(gathered, steps.newId('tc'));
    const { conversationId } = gathered.request.agent;
    for (;;) {
      const open = await approvals.findOpen(conversationId, decision.boundTo.digest);
      if (open !== undefined) return await waitFor(steps, gathered, open);
      const full = refuseQuestion(await approvals.askedSoFar(conversationId, new Date(now() - WINDOW_MS)));
      if (full !== undefined) {
        const answer = refusal(`Refused: ${full}`);
        const reasons = [{ code: 'too_many_questions', text: full }];
        await ledger.refuse(call, { step: decision.step, reasons, text: answer.text });
        await notices.tell(conversationId);
        return answered(answer);
      }
      const prepared = await steps.prepareQuestion(gathered, decision, call.toolCallId);
      if (prepared.kind === 'refused') {
        await notices.tell(conversationId);
        return answered(prepared.answer);
      }
      const { preview } = prepared;
      const question = { approvalId: steps.newId('apr'), expiresAt: new Date(now() + steps.approvalTtlMs), preview };
      if (await ledger.ask(call, effectFacts(gathered, decision), question)) {
        await notices.tell(conversationId);
        return await waitFor(steps, gathered, { id: question.approvalId, toolCallId: call.toolCallId });
      }
      // Somebody asked the identical question in between: meet theirs.
    }
  };
};

/** Holds the call until a person answered, the question ended, or the caller's patience did. */
const waitFor = async (
  steps: ApprovalSteps,
  gathered: Gathered,
  { id, toolCallId }: Pick<Approval, 'id' | 'toolCallId'>,
): Promise<Permit> => {
  const { approvals, ledger, now } = steps;
  const { request } = gathered;
  request.onJudged?.();
  const attendance = steps.live.attend({ toolCallId, approvalId: id }, request.signal);
  const deadline = request.waitsForPerson ? now() + request.holdMs : now();
  let lastBeat = 0;
  let waited = false;
  const patience: Patience = { until: undefined };
  try {
    for (;;) {
      const approval = await approvals.find(id);
      if (approval === undefined)
        return answered(
          refusal('The question is gone, so the call was not made. Make the call again if it is still needed.'),
        );
      const gone = request.signal.aborted || steps.stopping.aborted;
      switch (approval.status) {
        case 'approved': {
          if (gone) break;
          const obstacle = waited ? await recheck(steps, gathered, approval, patience) : undefined;
          if (obstacle === 'unreadable') break;
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
              refusal(
                'The question was withdrawn, so the call was not made. Make the call again if it is still needed.',
              ),
          );
        }
      }
      if (gone || now() >= deadline) {
        if (attendance.leave()) await approvals.release(approval.id);
        return answered(waitingAnswer(approval));
      }
      // Somebody of another process may have given up a hold that is still ours.
      if (now() - lastBeat >= HEARTBEAT_MS || approval.heldAt === undefined) {
        await approvals.hold(approval.id);
        lastBeat = now();
      }
      await steps.pause(approval.id, Math.min(POLL_MS, Math.max(deadline - now(), 1)));
      waited = true;
    }
  } finally {
    attendance.leave();
  }
};

/** Time has passed since the decision: the person may have lost the permission, a file may have changed. A yes never outlives what it was given for. */
const recheck = async (
  steps: ApprovalSteps,
  { request }: Gathered,
  approval: Approval,
  patience: Patience,
): Promise<ToolAnswer | 'unreadable' | undefined> => {
  const gathered = await steps.gatherFacts(request);
  const again = decide(gathered.facts);
  // Reading is offered for trusted input only: a yes to it does not cover input that has fallen since.
  const fallen = again.effect === 'ask' && approval.trustOutputOffered && !again.trustOutputOffered;
  if (again.effect !== 'deny' && !fallen && again.boundTo.digest === approval.callDigest) return undefined;
  if (again.effect === 'deny' && isUnreadable(gathered)) {
    // A peer that restarts is no reason to turn a person's yes into a no; nothing happens until it can be read.
    patience.until ??= steps.now() + UNREADABLE_MS;
    if (steps.now() < patience.until) return 'unreadable';
  }
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

/** Until when facts that cannot be read are waited for; undefined while they can. */
interface Patience {
  until: number | undefined;
}

const UNREADABLE_MS = 20_000;

const isUnreadable = ({ facts }: Gathered): boolean =>
  [
    ...[facts.feature, facts.config, facts.paths, facts.inputs, facts.rules, facts.grants],
    facts.principal.permissions,
  ].includes('unknown');

const answered = (answer: ToolAnswer): Permit => ({ kind: 'answer', answer });
