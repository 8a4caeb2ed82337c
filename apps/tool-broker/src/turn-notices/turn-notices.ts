/** What a conversation's stream must be told. A notice is a row of the transaction it tells, published in order, and kept until the stream holds it. */
import type { TurnEvent } from '@bravo/events';

/** It names no turn: the broker knows the conversation only. */
export type TurnNotice = TurnEvent;

export interface TurnNotices {
  /** Publishes what waits for a conversation and resolves once the stream holds it. A failure leaves the rows for the next attempt. */
  flush(conversationId: string): Promise<void>;
  /** Publishes what an earlier process left behind. */
  flushAll(): Promise<void>;
}

/** What a step does once its state is stored: the stream is told now if it can be, and by the sweep otherwise. It never fails. */
export interface TellTurn {
  tell(conversationId: string): Promise<void>;
}
