/** Hands a person's message to the orchestrator and follows the turn it became; the answer is always that of the real turn. */
import { Fault, isFault } from '@bravo/faults';
import type { ApprovalView } from '../approvals/approval-view.ts';
import type { CallSubject } from '../callers/caller.ts';
import type { AcceptedTurn, NewMessage, Orchestrator, TurnState } from '../conversations/orchestrator.ts';
import type { Broker } from '../tool-calls/broker.ts';
import { followTurn } from '../turn-streams/follow-turn.ts';
import { pause } from '../turn-streams/pause.ts';
import { isGone } from '../turn-streams/stream-position.ts';
import { codeOfTurn, hasEnded } from '../turn-streams/turn-code.ts';
import type { PositionedEvent, TurnLog } from '../turn-streams/turn-log.ts';
import type { ExchangeView } from './message-view.ts';
import { replayTurn } from './replay-turn.ts';
import { tellTurn } from './tell-turn.ts';

export interface PostMessageParts {
  readonly orchestrator: Pick<Orchestrator, 'runTurn' | 'getTurn'>;
  readonly broker: Pick<Broker, 'listOpenApprovals'>;
  readonly turnLog: TurnLog;
  /** How often a followed turn is looked at beside the stream, in case the stream was lost. */
  readonly lookMs: number;
}

export interface PostedTurn {
  /** The turn's events until its terminal one. */
  events(signal: AbortSignal): AsyncIterable<PositionedEvent>;
  /** The finished exchange. @throws Fault with the turn's own code when it failed, was cancelled or interrupted. */
  finished(signal: AbortSignal): Promise<ExchangeView>;
}

export const createPostMessage = ({ orchestrator, broker, turnLog, lookMs }: PostMessageParts) => {
  const isBuffered = async (subject: CallSubject, conversationId: string, turn: AcceptedTurn): Promise<boolean> =>
    !turn.replayed || !isGone(turn.position, await turnLog.bounds(subject.workspaceId, conversationId));

  return async (subject: CallSubject, message: NewMessage): Promise<PostedTurn> => {
    const { conversationId } = message;
    const turn = await orchestrator.runTurn(subject, message);
    const { turnId, position } = turn;
    const look = (): Promise<TurnState> => orchestrator.getTurn(subject, conversationId, turnId);
    const stream = (signal: AbortSignal): AsyncIterable<PositionedEvent> =>
      followTurn(turnId, turnLog.read(subject.workspaceId, conversationId, position, signal));

    const events = async function* (signal: AbortSignal): AsyncIterable<PositionedEvent> {
      // A repeated request for a turn long gone from the buffer is answered from the record.
      if (!(await isBuffered(subject, conversationId, turn))) {
        const state = await look();
        if (hasEnded(state)) return yield* replayTurn(state, { position, begun: false, said: 0 });
      }
      yield* tellTurn({ stream, position, look, lookMs }, signal);
    };

    const finished = async (signal: AbortSignal): Promise<ExchangeView> => {
      for await (const { event } of events(signal)) void event;
      const exchange = exchangeOf(turnId, await untilSettled(look, signal));
      // An ended conversation has no questions any more, and the broker has forgotten it.
      const open = await broker.listOpenApprovals(subject, conversationId).catch((error: unknown) => {
        if (isFault(error) && error.code === 'not_found') return [];
        throw error;
      });
      return { ...exchange, approvals: open.map(questionOf) };
    };

    return { events, finished };
  };
};

export type PostMessage = ReturnType<typeof createPostMessage>;

const SETTLE_ATTEMPTS = 20;
const SETTLE_PAUSE_MS = 250;

/** The terminal event and the row it tells of are written side by side; the row may be a moment behind, or its reader restarting. */
const untilSettled = async (look: () => Promise<TurnState>, signal: AbortSignal): Promise<TurnState> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const state = await look();
      if (hasEnded(state) || attempt >= SETTLE_ATTEMPTS || signal.aborted) return state;
    } catch (error) {
      if (attempt >= SETTLE_ATTEMPTS || signal.aborted) throw error;
    }
    await pause(SETTLE_PAUSE_MS, signal);
  }
};

const questionOf = ({ id, tool_call_id, tool, expires_at }: ApprovalView): ExchangeView['approvals'][number] => ({
  tool_call_id,
  approval_id: id,
  tool,
  expires_at,
});

const exchangeOf = (turnId: string, state: TurnState): Omit<ExchangeView, 'approvals'> => {
  const { status, userMessage, assistantMessage } = state;
  if (status === 'completed' && userMessage && assistantMessage) {
    return { turn_id: turnId, user_message: userMessage, assistant_message: assistantMessage };
  }
  const kept = assistantMessage?.content ? ' What it had said until then is kept in the conversation.' : '';
  throw new Fault(codeOfTurn(state), `The turn ended as ${status}.${kept}`, { meta: { turn_id: turnId } });
};
