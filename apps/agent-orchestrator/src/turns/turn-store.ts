/**
 * What is kept of turns. A turn changes state by compare-and-set in one transaction with its events, and only the
 * holder of the conversation's lease can run or end one.
 */
import type { WorkItem } from '@bravo/events';
import type { Places } from '../access/check-gate.ts';
import type { Message, Owner, TurnStatus } from '../conversations/conversation.ts';
import type { EndedTurn, TurnEnd } from './turn-end.ts';

export interface NewTurn {
  readonly turnId: string;
  readonly messageId: string;
  readonly conversationId: string;
  readonly owner: Owner;
  readonly role: 'user' | 'system';
  readonly reason: 'message' | 'delegated' | WorkItem['reason'];
  readonly content: string;
  /** Empty: none. */
  readonly idempotencyKey: string;
  /** As StartedTurn's. */
  readonly contextJson: string;
  readonly streamPosition: bigint;
  /** The workspace's, as they are now. */
  readonly places: Places;
  /** The work item it comes from; its second coming changes nothing. */
  readonly workId?: string;
}

export interface RecordedTurn {
  readonly turnId: string;
  readonly messageId: string;
  readonly streamPosition: bigint;
  readonly queued: boolean;
  readonly replayed: boolean;
}

/** A turn its instance may drive now. */
export interface StartedTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly owner: Owner;
  /** Of a delegate: the conversation at the top of its tree. */
  readonly rootId: string | undefined;
  readonly userMessage: Message;
  /** What the person was looking at: a JSON object on one line, or empty. */
  readonly contextJson: string;
  /** W3C trace context of the request that asked for it; empty where there was none. */
  readonly traceparent: string;
  readonly assistantMessageId: string;
  /** `performance.now()` before the lease was asked for: it cannot have begun earlier. */
  readonly leaseAskedAt: number;
  readonly reason: NewTurn['reason'];
  /** The work item it comes from; '' for a message. */
  readonly workId: string;
}

export interface TurnView {
  readonly id: string;
  readonly conversationId: string;
  readonly status: TurnStatus;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
}

export interface TurnStore {
  /**
   * Message, turn and event at once. @throws Fault not_found, conversation_ended, conflict (the key was used for other
   * words), too_many_conversations (a person's message only; other turns wait for a place).
   * `undefined`: the work item was consumed before.
   */
  record(turn: NewTurn): Promise<RecordedTurn | undefined>;
  find(conversationId: string, turnId: string): Promise<TurnView | undefined>;
  /** Takes the lease and the oldest waiting turn; `undefined` when there is none, or it is not this instance's to drive. */
  startNext(conversationId: string, assistantMessageId: string): Promise<StartedTurn | undefined>;
  /** Keeps what was said so far and hears whether to go on. */
  checkIn(turnId: string, text: string): Promise<'go_on' | 'cancel' | 'lost'>;
  assignPod(turnId: string, podId: string): Promise<void>;
  /** `undefined` when somebody else ended it before: then nothing was changed and nothing may be published. */
  finish(turnId: string, text: string, end: TurnEnd): Promise<EndedTurn | undefined>;
  /** Drops what waits and marks what runs. */
  requestCancel(conversationId: string): Promise<{ readonly dropped: readonly EndedTurn[]; readonly running: string }>;
  /** Conversations with a waiting turn that this instance could begin. */
  startable(limit: number): Promise<string[]>;
  /** Ends running turns whose holder's lease is over, keeping what was said. */
  interruptOrphans(): Promise<EndedTurn[]>;
  /** Ended turns whose end the stream may not have, ended at least so long ago. */
  unpublished(olderThanMs: number): Promise<EndedTurn[]>;
  markPublished(turnId: string): Promise<void>;
}
