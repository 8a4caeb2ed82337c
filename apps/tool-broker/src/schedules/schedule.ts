/** What makes turns without a message: loops and goals over a line the person typed, and watches of files. Guarantees by its store that a due time makes at most one turn; nothing a file holds is ever part of it. */
import { LIMITS } from '@bravo/policy';
import type { EndReason } from './end-reasons.ts';

export const KINDS = ['loop', 'goal', 'watch'] as const;
export type ScheduleKind = (typeof KINDS)[number];

/** A line that is asked again travels as the message of a turn, beside a sentence of the platform's. */
export const MAX_LINE_BYTES = 16 * 1024;
export const MAX_WATCHES = LIMITS['watch-live'].value;
export const GOAL_ROUNDS = LIMITS['goal-rounds'].value;
export const AGE_SECONDS = {
  loop: LIMITS['loop-age'].value,
  goal: LIMITS['loop-age'].value,
  watch: LIMITS['watch-age'].value,
};
/** After a turn that did not say when to look again. */
export const WAKE_SECONDS = LIMITS['loop-wake'].value;

export interface Owner {
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly userId: string;
}

export interface Schedule extends Owner {
  readonly id: string;
  readonly kind: ScheduleKind;
  readonly live: boolean;
  /** The person's own, as typed. */
  readonly line: string;
  /** 0: its turns say when. */
  readonly everySeconds: number;
  readonly path: string;
  readonly landing: string;
  /** The file's change token at the last look. */
  readonly token: string;
  readonly fires: number;
  readonly quiet: number;
  readonly silent: number;
  readonly failures: number;
  /** Seconds its running turn asked for. */
  readonly nextSeconds: number | undefined;
  readonly dueAt: Date | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | undefined;
  readonly endReason: EndReason | '';
}

/** What a person's line asks of the platform itself. */
export type Command =
  { readonly name: 'loop'; readonly everySeconds: number } | { readonly name: 'goal' | 'stop_loop' | 'stop_goal' };

export interface BegunTurn extends Owner {
  readonly turnId: string;
  readonly origin: 'person' | 'schedule' | 'other';
  readonly workId: string;
  readonly line: string;
  readonly command: Command | undefined;
}

export interface EndedTurn extends Owner {
  readonly turnId: string;
  readonly workId: string;
  readonly status: 'completed' | 'failed' | 'cancelled' | 'interrupted' | 'dropped';
  readonly errorCode: string;
}

/** What the broker found out about a turn's end before it is taken. */
export interface Findings {
  readonly budgetGone: boolean;
  readonly verdict: 'met' | 'not_met' | 'impossible' | 'unjudged' | undefined;
}

/** A refusal in words for whoever asked; nothing was changed. */
export interface Refused {
  readonly refused: string;
}

export interface ScheduleStore {
  /** @returns the platform's own answer, where no agent is to be asked. @throws Fault conversation_ended */
  beginTurn(turn: BegunTurn): Promise<string>;
  /** Whose turn it is, where it is one of something that lives. */
  ofTurn(turn: Pick<EndedTurn, 'conversationId' | 'turnId' | 'workId'>): Promise<Schedule | undefined>;
  endTurn(turn: EndedTurn, findings: Findings): Promise<void>;
  /** Of the turn the conversation is in now: whose line it is, and of which loop. */
  currentTurn(
    conversationId: string,
  ): Promise<
    { readonly origin: string; readonly schedule: Schedule | undefined; readonly lineFits: boolean } | undefined
  >;
  /** The next look of the loop whose turn it is; outside one it begins a loop over the line of the turn. */
  scheduleNext(
    owner: Owner,
    toolCallId: string,
    next: { readonly seconds: number; readonly noop: boolean },
  ): Promise<Refused | { readonly began: boolean }>;
  watch(
    owner: Owner,
    toolCallId: string,
    file: { readonly path: string; readonly landing: string; readonly token: string },
  ): Promise<Refused | { readonly live: number }>;
  list(conversationId: string): Promise<readonly Schedule[]>;
  /** False where there is none of that id; one that has ended stays as it is. */
  end(owner: Owner, id: string, reason: EndReason): Promise<boolean>;
  /** Ids of what is due, longest due first. */
  due(): Promise<readonly Schedule[]>;
  /** At most once per due time, whoever else tries: state, work and event are one transaction. */
  fire(schedule: Schedule): Promise<boolean>;
  /** Takes watches whose look is due for this process alone. */
  takeLooks(): Promise<readonly Schedule[]>;
  /** A look found another token; false where a turn of it is not over, or it fired a moment ago: the change waits. */
  fireWatch(schedule: Schedule, token: string): Promise<boolean>;
  /** What is too old, with its end. */
  endOld(): Promise<void>;
}
