/** The events of one turn until its one terminal event: from the stream while it lasts, and from the record where the stream was lost. */
import { isTerminal } from '@bravo/events';
import type { TurnState } from '../conversations/orchestrator.ts';
import { pause } from '../turn-streams/pause.ts';
import { hasEnded } from '../turn-streams/turn-code.ts';
import type { PositionedEvent } from '../turn-streams/turn-log.ts';
import { replayTurn, type ToldSoFar } from './replay-turn.ts';

export interface TellTurnParts {
  /** The turn's events after the position. May end early or fail when the bus is lost. */
  stream(signal: AbortSignal): AsyncIterable<PositionedEvent>;
  /** Of the turn stream, before anything of the turn. */
  readonly position: number;
  look(): Promise<TurnState>;
  readonly lookMs: number;
}

export const tellTurn = async function* (
  { stream, position, look, lookMs }: TellTurnParts,
  signal: AbortSignal,
): AsyncIterable<PositionedEvent> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const record = untilEnded(look, lookMs, either);
  const events: AsyncIterator<PositionedEvent, undefined> = stream(either)[Symbol.asyncIterator]();
  const next = async (): Promise<PositionedEvent | TurnState | undefined> => {
    try {
      const { done: over, value } = await events.next();
      if (!over) return value;
    } catch {
      // A stream that was lost leaves the end to the record.
    }
    return record;
  };
  let told: ToldSoFar = { position, begun: false, said: 0 };
  try {
    for (;;) {
      const heard = await Promise.race([next(), record]);
      if (heard === undefined) return;
      if (!('event' in heard)) return yield* replayTurn(heard, told);
      yield heard;
      if (isTerminal(heard.event)) return;
      told = after(told, heard);
    }
  } finally {
    done.abort();
  }
};

const after = ({ begun, said }: ToldSoFar, { event, ...place }: PositionedEvent): ToldSoFar => ({
  ...place,
  begun: begun || event.event === 'message_start',
  said: event.event === 'content_delta' ? said + event.data.delta.length : said,
});

/**
 * The turn's record once it says twice in a row that the turn has ended: after the first time the terminal event may
 * still be on its way. A look that fails is tried again, because the orchestrator may be restarting.
 * `undefined` when the signal aborts.
 */
const untilEnded = async (
  look: () => Promise<TurnState>,
  everyMs: number,
  signal: AbortSignal,
): Promise<TurnState | undefined> => {
  let before = false;
  while (!signal.aborted) {
    await pause(everyMs, signal);
    const state = signal.aborted ? undefined : await look().catch(() => undefined);
    const ended = state !== undefined && hasEnded(state);
    if (ended && before) return state;
    before = ended;
  }
  return undefined;
};
