/** What a conversation's stream must be told. A notice is a row of the transaction it tells, published in order, and kept until the stream holds it. */
import type { TurnEvent } from '@bravo/events';

/** It names no turn: the broker knows the conversation only. */
export type TurnNotice = TurnEvent;

/** Notices that were stored a moment ago while no other of the conversation waited: nothing has to be told before them. */
export interface FreshNotices {
  readonly workspaceId: string;
  readonly rows: readonly { readonly id: bigint; readonly notice: TurnNotice }[];
}

export interface TurnNotices {
  /** Publishes what waits for a conversation and resolves once the stream holds it. A failure leaves the rows for the next attempt. */
  flush(conversationId: string): Promise<void>;
  /** Publishes these in their order, with what the caller knows of them; as `flush`, without reading them back. */
  publish(conversationId: string, fresh: FreshNotices): Promise<void>;
  /** Publishes what an earlier process left behind. */
  flushAll(): Promise<void>;
}

/** What a step does once its state is stored: the stream is told now if it can be, and by the sweep otherwise. It never fails. */
export interface TellTurn {
  tell(conversationId: string, fresh?: FreshNotices): Promise<void>;
}
