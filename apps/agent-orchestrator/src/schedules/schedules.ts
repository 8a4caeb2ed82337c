/** What the orchestrator tells the broker of turns, which keeps what is scheduled: whose line a turn is, and how it ended. Nothing is decided here. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, isFault, toFault } from '@bravo/faults';
import { readCompactCommand } from '../contexts/compact-conversation.ts';
import type { Owner } from '../conversations/conversation.ts';
import type { StartedTurn } from '../turns/turn-store.ts';
import { readScheduleCommand } from './read-schedule-command.ts';

export interface TurnBeginning {
  readonly turnId: string;
  readonly origin: 'person' | 'schedule' | 'other';
  readonly workId: string;
  readonly line: string;
  /** '' for none. */
  readonly command: string;
  readonly everySeconds: number;
}

export interface TurnEnding {
  readonly turnId: string;
  readonly workId: string;
  /** A turn's status, or dropped: work that never became one. */
  readonly status: string;
  readonly errorCode: string;
  /** What was answered; '' unless it was asked for. */
  readonly answer: string;
}

export interface Schedules {
  /** @returns the platform's own answer, where no agent is to be asked; else ''. */
  beginTurn(owner: Owner, conversationId: string, turn: TurnBeginning): Promise<string>;
  /** True: it is told again with what was answered. */
  endTurn(owner: Owner, conversationId: string, turn: TurnEnding): Promise<boolean>;
}

export interface TurnLine {
  /** What the agent is asked. */
  readonly line: string;
  /** Set: the platform answers by itself. */
  readonly answer: string;
}

/** @throws Fault: a turn nobody knows whose line it is does not begin. */
export type OpenTurn = (turn: StartedTurn, signal: AbortSignal) => Promise<TurnLine>;

const AGAIN_MS = 1_000;
const MOST_ATTEMPTS = 15;

export const createOpenTurn =
  (schedules: Pick<Schedules, 'beginTurn'>): OpenTurn =>
  async ({ id, conversationId, owner, userMessage, reason, workId }, signal) => {
    const typed = userMessage.role === 'user' && reason === 'message';
    const command = typed ? readScheduleCommand(userMessage.content) : undefined;
    const line = command?.line ?? (typed ? readCompactCommand(userMessage.content) : undefined) ?? userMessage.content;
    const beginning: TurnBeginning = {
      turnId: id,
      origin: typed ? 'person' : reason === 'schedule_due' ? 'schedule' : 'other',
      workId,
      line: typed ? line : '',
      command: command?.name ?? '',
      everySeconds: command?.everySeconds ?? 0,
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return { line, answer: await schedules.beginTurn(owner, conversationId, beginning) };
      } catch (error) {
        const fault: Fault = toFault(error);
        if (!fault.row.retryable || attempt === MOST_ATTEMPTS || signal.aborted) throw fault;
        await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  };

export interface UntoldTurn extends Omit<TurnEnding, 'answer'> {
  readonly conversationId: string;
  readonly owner: Owner;
}

export interface TellEndsParts {
  readonly turns: {
    /** Turns that ended and that the broker may not know of, oldest first. */
    untold(): Promise<readonly UntoldTurn[]>;
    answerOf(turnId: string): Promise<string>;
    markTold(turnId: string): Promise<void>;
  };
  readonly schedules: Pick<Schedules, 'endTurn'>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** Of an answer that is empty: a goal is judged by something. */
const NOTHING_SAID = '(no answer)';

/** Ends are told until they are taken; one that is judged takes a while, and keeps no other waiting. */
export const createTellEnds = ({ turns, schedules, log }: TellEndsParts) => {
  const telling = new Map<string, Promise<void>>();
  const tell = async ({ conversationId, owner, ...turn }: UntoldTurn): Promise<void> => {
    try {
      if (await schedules.endTurn(owner, conversationId, { ...turn, answer: '' })) {
        const answer = (await turns.answerOf(turn.turnId)) || NOTHING_SAID;
        await schedules.endTurn(owner, conversationId, { ...turn, answer });
      }
    } catch (err) {
      // A conversation the broker does not know has nothing scheduled.
      if (!isFault(err) || err.code !== 'not_found') {
        log('the end of a turn could not be told to the broker yet', { turn: turn.turnId, err });
        return;
      }
    }
    await turns
      .markTold(turn.turnId)
      .catch((err: unknown) => log('a turn could not be marked', { turn: turn.turnId, err }));
  };
  return {
    round: async (): Promise<void> => {
      for (const turn of await turns.untold()) {
        if (telling.has(turn.turnId)) continue;
        telling.set(
          turn.turnId,
          tell(turn).finally(() => telling.delete(turn.turnId)),
        );
      }
    },
    settle: async (): Promise<void> => void (await Promise.all(telling.values())),
  };
};
