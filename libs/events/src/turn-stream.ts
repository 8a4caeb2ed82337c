/** The events of a conversation as the browser sees them; one JetStream subject per conversation. */
import { type Bus } from './bus.port.ts';
import { parseTurnEvent, type TurnEvent, type UncheckedTurnEvent } from './turn-catalogue.ts';

/** Exactly one of these ends a turn. */
export const isTerminal = (event: Pick<TurnEvent, 'event'>): boolean =>
  event.event === 'message_end' || event.event === 'error';

export const turnSubject = (workspaceId: string, conversationId: string): string =>
  `turn.${workspaceId}.${conversationId}`;

/**
 * `id` makes a repeated publish of the same event harmless.
 * @returns its position. @throws ZodError when the event does not fit the catalogue: nothing is published then.
 */
export const publishTurnEvent = async (
  bus: Bus,
  workspaceId: string,
  conversationId: string,
  event: UncheckedTurnEvent,
  id: string,
): Promise<number> =>
  (await bus.publish('TURNS', turnSubject(workspaceId, conversationId), JSON.stringify(parseTurnEvent(event)), id))
    .sequence;
