/** The events of a conversation as the browser sees them; one JetStream subject per conversation. */
import { type Bus } from './bus.port.ts';

export type TurnEventName =
  | 'message_start'
  | 'content_delta'
  | 'tool_call_start'
  | 'needs_approval'
  | 'approval_resolved'
  | 'tool_call_end'
  | 'step_up'
  | 'status'
  | 'message_end'
  | 'error'
  | 'resync';

export interface TurnEvent {
  readonly event: TurnEventName;
  readonly data: Readonly<Record<string, unknown>>;
  /** Set on what the orchestrator publishes; a terminal event always has it. */
  readonly turn_id?: string;
}

/** Exactly one of these ends a turn. */
export const isTerminal = (event: TurnEvent): boolean => event.event === 'message_end' || event.event === 'error';

export const turnSubject = (workspaceId: string, conversationId: string): string =>
  `turn.${workspaceId}.${conversationId}`;

/** `id` makes a repeated publish of the same event harmless. @returns its position. */
export const publishTurnEvent = async (
  bus: Bus,
  workspaceId: string,
  conversationId: string,
  event: TurnEvent,
  id: string,
): Promise<number> =>
  (await bus.publish('TURNS', turnSubject(workspaceId, conversationId), JSON.stringify(event), id)).sequence;
