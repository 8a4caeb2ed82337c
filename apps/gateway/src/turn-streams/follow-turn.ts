/** The events of one turn and of nothing else, ending after its one terminal event. */
import { isTerminal, type TurnEvent } from '@bravo/events';
import type { PositionedEvent } from './turn-log.ts';

/**
 * Tool events carry no turn: they belong to the turn that runs. So they are passed on once this turn has begun,
 * and one turn runs at a time, so that no other can be meant.
 */
export const createTurnFilter = (
  turnId: string,
): { passes(event: TurnEvent): boolean; ends(event: TurnEvent): boolean } => {
  let begun = false;
  const isOurs = (event: TurnEvent): boolean => event.turn_id === turnId;
  return {
    passes: (event) => {
      if (isOurs(event)) {
        begun ||= !(event.event === 'status' && event.data['state'] === 'queued');
        return true;
      }
      return begun && event.turn_id === undefined;
    },
    ends: (event) => isOurs(event) && isTerminal(event),
  };
};

export const followTurn = async function* (
  turnId: string,
  events: AsyncIterable<PositionedEvent>,
): AsyncIterable<PositionedEvent> {
  const filter = createTurnFilter(turnId);
  for await (const positioned of events) {
    if (filter.passes(positioned.event)) yield positioned;
    if (filter.ends(positioned.event)) return;
  }
};
