/** How a turn can end, and the one event that says so: message_end or error, never both, never neither. */
import type { TurnEvent } from '@bravo/events';
import { faultRow, isFaultCode, type FaultCode } from '@bravo/faults';
import type { MessageStatus, TurnStatus } from '../conversations/conversation.ts';

export type TurnEnd =
  | { readonly status: 'completed'; readonly inputTokens: number; readonly outputTokens: number }
  | {
      readonly status: 'failed' | 'cancelled' | 'interrupted';
      readonly code: FaultCode;
      readonly detail: string;
    };

export const cancelled: TurnEnd = {
  status: 'cancelled',
  code: 'turn_cancelled',
  detail: 'The turn was cancelled. What had been said until then is kept.',
};

/** Never run again by itself: effects may have happened. */
export const interrupted = (why: string): TurnEnd => ({
  status: 'interrupted',
  code: 'turn_interrupted',
  detail: `${why} What had been said is kept. Effects may have happened; look before you ask again.`,
});

export const failed = (code: FaultCode, detail: string): TurnEnd => ({ status: 'failed', code, detail });

export const messageStatusOf = (status: TurnEnd['status']): MessageStatus =>
  status === 'completed' ? 'complete' : status;

/** A turn that has ended, as its row tells it. */
export interface EndedTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly status: TurnStatus;
  /** Empty when the turn never got as far as an answer. */
  readonly assistantMessageId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly errorCode: string;
  readonly errorDetail: string;
  readonly streamPosition: bigint;
  readonly finishedAt: Date;
}

/** The same turn always gives the same event, so that it can be published by whoever comes after a crash. */
export const terminalEvent = (turn: EndedTurn): TurnEvent => {
  if (turn.status === 'completed') {
    const usage = { input_tokens: turn.inputTokens, output_tokens: turn.outputTokens };
    return { event: 'message_end', data: { id: turn.assistantMessageId, usage }, turn_id: turn.id };
  }
  const code: FaultCode = isFaultCode(turn.errorCode) ? turn.errorCode : 'internal';
  const row = faultRow(code);
  return {
    event: 'error',
    data: { code, detail: row.public ? turn.errorDetail : row.title, retryable: row.retryable },
    turn_id: turn.id,
  };
};

export const terminalEventId = (turnId: string): string => `${turnId}:end`;
