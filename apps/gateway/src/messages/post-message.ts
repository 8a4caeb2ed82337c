/** Hands a person's message to the orchestrator and follows the turn it became; the answer is always that of the real turn. */
import { Fault, isFaultCode } from '@bravo/faults';
import type { CallSubject } from '../callers/caller.ts';
import type { AcceptedTurn, NewMessage, Orchestrator, TurnState } from '../conversations/orchestrator.ts';
import { followTurn } from '../turn-streams/follow-turn.ts';
import { isGone } from '../turn-streams/stream-position.ts';
import type { PositionedEvent, TurnLog } from '../turn-streams/turn-log.ts';
import { replayTurn } from './replay-turn.ts';
import type { ExchangeView } from './message-view.ts';

export interface PostMessageParts {
  readonly orchestrator: Pick<Orchestrator, 'runTurn' | 'getTurn'>;
  readonly turnLog: TurnLog;
  /** How often a waiting client's turn is looked at beside the stream, in case the stream was lost. */
  readonly lookMs: number;
}

export interface PostedTurn {
  /** The turn's events until its terminal one. */
  events(signal: AbortSignal): AsyncIterable<PositionedEvent>;
  /** The finished exchange. @throws Fault with the turn's own code when it failed, was cancelled or interrupted. */
  finished(signal: AbortSignal): Promise<ExchangeView>;
}

const IN_PROGRESS = ['queued', 'running'];

export const createPostMessage = ({ orchestrator, turnLog, lookMs }: PostMessageParts) => {
  const isBuffered = async (subject: CallSubject, conversationId: string, turn: AcceptedTurn): Promise<boolean> =>
    !turn.replayed || !isGone(turn.position, await turnLog.bounds(subject.workspaceId, conversationId));

  return async (subject: CallSubject, message: NewMessage): Promise<PostedTurn> => {
    const { conversationId } = message;
    const turn = await orchestrator.runTurn(subject, message);
    const look = (): Promise<TurnState> => orchestrator.getTurn(subject, conversationId, turn.turnId);

    const events = async function* (signal: AbortSignal): AsyncIterable<PositionedEvent> {
      // A repeated request for a turn long gone from the buffer is answered from the record.
      if (!(await isBuffered(subject, conversationId, turn))) {
        const state = await look();
        if (!IN_PROGRESS.includes(state.status)) return yield* replayTurn(state, turn.position);
      }
      yield* followTurn(turn.turnId, turnLog.read(subject.workspaceId, conversationId, turn.position, signal));
    };

    const finished = async (signal: AbortSignal): Promise<ExchangeView> => {
      const done = new AbortController();
      const either = AbortSignal.any([signal, done.signal]);
      try {
        await Promise.race([drain(events(either)), watch(look, lookMs, either)]);
      } finally {
        done.abort();
      }
      return exchangeOf(turn.turnId, await untilSettled(look, signal));
    };

    return { events, finished };
  };
};

export type PostMessage = ReturnType<typeof createPostMessage>;

/** Ends with the terminal event; a stream that breaks leaves the end to `watch`. */
const drain = async (events: AsyncIterable<PositionedEvent>): Promise<void> => {
  let terminal = false;
  try {
    for await (const { event } of events) terminal = event.event === 'message_end' || event.event === 'error';
  } catch {
    terminal = false;
  }
  if (!terminal) await new Promise<never>(() => undefined);
};

/** Looks at the turn now and then until it has ended. A look that fails is tried again: the orchestrator may be restarting. */
const watch = async (look: () => Promise<TurnState>, everyMs: number, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await pause(everyMs, signal);
    const state = signal.aborted ? undefined : await look().catch(() => undefined);
    if (state && !IN_PROGRESS.includes(state.status)) return;
  }
};

const SETTLE_ATTEMPTS = 20;
const SETTLE_PAUSE_MS = 250;

/** The terminal event and the row it tells of are written side by side; the row may be a moment behind, or its reader restarting. */
const untilSettled = async (look: () => Promise<TurnState>, signal: AbortSignal): Promise<TurnState> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const state = await look();
      if (!IN_PROGRESS.includes(state.status) || attempt >= SETTLE_ATTEMPTS || signal.aborted) return state;
    } catch (error) {
      if (attempt >= SETTLE_ATTEMPTS || signal.aborted) throw error;
    }
    await pause(SETTLE_PAUSE_MS, signal);
  }
};

const CODE_OF_STATUS: Readonly<Record<string, 'turn_failed' | 'turn_cancelled' | 'turn_interrupted'>> = {
  failed: 'turn_failed',
  cancelled: 'turn_cancelled',
  interrupted: 'turn_interrupted',
};

const exchangeOf = (turnId: string, { status, userMessage, assistantMessage }: TurnState): ExchangeView => {
  if (status === 'completed' && userMessage && assistantMessage) {
    return { turn_id: turnId, user_message: userMessage, assistant_message: assistantMessage };
  }
  const stored = assistantMessage?.error_code ?? '';
  const code = isFaultCode(stored) ? stored : (CODE_OF_STATUS[status] ?? 'turn_interrupted');
  const kept = assistantMessage?.content ? ' What it had said until then is kept in the conversation.' : '';
  throw new Fault(code, `The turn ended as ${status}.${kept}`, { meta: { turn_id: turnId } });
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
