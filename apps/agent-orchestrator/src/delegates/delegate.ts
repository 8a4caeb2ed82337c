/** What a delegate is: a conversation that works for another one, and what the whole tree of them may have. */
import { LIMITS } from '@bravo/policy';
import type { DelegatePlace, Owner } from '../conversations/conversation.ts';

export type DelegateOutcome = 'completed' | 'failed' | 'cancelled' | 'interrupted';
export type DelegateState = 'queued' | 'running' | 'waiting' | DelegateOutcome;

export interface Delegate extends DelegatePlace, Owner {
  readonly conversationId: string;
  readonly task: string;
  readonly toolCallId: string;
  readonly state: DelegateState;
  readonly createdAt: Date;
  readonly settledAt: Date | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** At work at the same time, over one tree. */
export const MAX_AT_ONCE = LIMITS['delegate-each'].value;
/** Over one tree, since the person last said something. */
export const MAX_IN_ALL = LIMITS['delegate-turn'].value;
/** Below the person's conversation. */
export const MAX_DEPTH = LIMITS['delegate-depth'].value;

/** @returns how many more may be opened, and why no more; `why` is empty where all of them may. */
export const roomIn = (
  tree: { readonly atWork: number; readonly sinceMessage: number },
  asked: number,
): { readonly room: number; readonly why: string } => {
  const atOnce = Math.max(0, MAX_AT_ONCE - tree.atWork);
  const inAll = Math.max(0, MAX_IN_ALL - tree.sinceMessage);
  const room = Math.min(asked, atOnce, inAll);
  if (room === asked) return { room, why: '' };
  return inAll <= atOnce
    ? { room, why: `${MAX_IN_ALL} delegates is the most for what a person asked for, over the whole tree.` }
    : { room, why: `${MAX_AT_ONCE} delegates is the most at work at once, over the whole tree.` };
};

/** @param siblings how many the parent has opened before. */
export const nameOf = (parentName: string | undefined, siblings: number): string =>
  parentName === undefined ? `d${siblings + 1}` : `${parentName}.${siblings + 1}`;
