/** What the orchestrator does with the turn stream of a conversation. */
import type { TurnEvent } from '@bravo/events';

export interface TurnPlace {
  readonly workspaceId: string;
  readonly conversationId: string;
}

export interface TurnStream {
  /** Resolves when the stream holds it; the same id within two minutes is stored once. */
  publish(place: TurnPlace, event: TurnEvent, id: string): Promise<void>;
  /** Position of the newest event, 0 when there is none. */
  position(place: TurnPlace): Promise<bigint>;
  /** Whether the end of the turn is in the stream after that position. */
  hasEnd(place: TurnPlace, turnId: string, after: bigint): Promise<boolean>;
}
