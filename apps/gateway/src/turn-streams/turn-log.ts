/** The stream of events of conversations, as any gateway process can read it. */
import type { TurnEvent } from '@bravo/events';
import type { StreamBounds } from './stream-position.ts';

export interface PositionedEvent {
  readonly position: number;
  /** Of the stream the position belongs to; absent where nobody knows it. */
  readonly generation?: string;
  readonly event: TurnEvent;
}

export interface TurnLog {
  bounds(workspaceId: string, conversationId: string): Promise<StreamBounds>;
  /** Of the stream there is now. */
  generation(): Promise<string>;
  /** Events after the position in order, then the live ones, until the signal aborts. May end early when the bus is lost. */
  read(workspaceId: string, conversationId: string, after: number, signal: AbortSignal): AsyncIterable<PositionedEvent>;
}
