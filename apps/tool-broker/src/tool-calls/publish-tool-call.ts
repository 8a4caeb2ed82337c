/** Records the end of a call and tells the stream. Guarantees that the agent is answered only with what is on record. */
import type { ApprovalStore } from '../approvals/approval.ts';
import type { AnswerSignal } from '../approvals/answer-signal.ts';
import type { BoundEffect } from '../tools/effect.ts';
import type { TurnNotices } from '../turn-notices/turn-notices.ts';
import type { FinishedCall, ToolCallLedger } from './tool-call-ledger.ts';
import type { ToolAnswer } from './tool-call.ts';

export interface PublishSteps {
  readonly ledger: Pick<ToolCallLedger, 'finish'>;
  readonly approvals: Pick<ApprovalStore, 'deliver'>;
  readonly notices: Pick<TurnNotices, 'flush'>;
  readonly signal: Pick<AnswerSignal, 'wake'>;
}

/** `listening`: whether somebody is there to take the answer now. */
export type PublishToolCall = (effect: BoundEffect, finished: FinishedCall, listening: boolean) => Promise<ToolAnswer>;

export const makePublishToolCall =
  ({ ledger, approvals, notices, signal }: PublishSteps): PublishToolCall =>
  async (effect, finished, listening) => {
    const answer = await ledger.finish(effect, finished);
    await notices.flush(effect.who.conversationId);
    if (effect.approvalId !== undefined) {
      if (listening) await approvals.deliver(effect.approvalId);
      signal.wake(effect.approvalId);
    }
    return answer;
  };
