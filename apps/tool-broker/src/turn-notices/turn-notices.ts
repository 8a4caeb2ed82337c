/** What a conversation's stream must be told. A notice is a row of the transaction it tells, published in order, and kept until the stream holds it. */
import type { TurnEventName } from '@bravo/events';

export interface TurnNotice {
  readonly event: TurnEventName;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface TurnNotices {
  /** Publishes what waits for a conversation and resolves once the stream holds it. A failure leaves the rows for the next attempt. */
  flush(conversationId: string): Promise<void>;
  /** Publishes what an earlier process left behind. */
  flushAll(): Promise<void>;
}
