/** Records the end of a call and tells the stream. Guarantees that the agent is answered only with what is on record. */
import type { AnswerSignal } from '../approvals/answer-signal.ts';
import type { BoundEffect } from '../tools/effect.ts';
import type { TellTurn } from '../turn-notices/turn-notices.ts';
import type { FinishedCall, ToolCallLedger } from './tool-call-ledger.ts';
import type { ToolAnswer } from './tool-call.ts';

export interface PublishSteps {
  readonly ledger: Pick<ToolCallLedger, 'finish'>;
  readonly notices: TellTurn;
  readonly signal: Pick<AnswerSignal, 'wake'>;
}

/** `delivered`: no later call has to come back for this answer. */
export type PublishToolCall = (effect: BoundEffect, finished: FinishedCall, delivered: boolean) => Promise<ToolAnswer>;

export const createPublishToolCall =
  ({ ledger, notices, signal }: PublishSteps): PublishToolCall =>
  async (effect, finished, delivered) => {
    const answer = await ledger.finish(effect, finished, delivered);
    await notices.tell(effect.who.conversationId);
    if (effect.approvalId !== undefined) signal.wake(effect.approvalId);
    return answer;
  };
