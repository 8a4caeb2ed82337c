/** What is kept of delegates. Opening and settling are one transaction each, with the events that tell of them. */
import type { Places } from '../access/check-gate.ts';
import type { Owner } from '../conversations/conversation.ts';
import type { Delegate, DelegateOutcome } from './delegate.ts';

export interface AskedDelegate {
  /** Chosen by whoever asks, so that asking twice opens once. */
  readonly conversationId: string;
  readonly task: string;
  readonly turnId: string;
  readonly messageId: string;
}

export interface AskedDelegates {
  readonly parentId: string;
  readonly owner: Owner;
  readonly toolCallId: string;
  readonly kind: string;
  readonly instructions: string;
  readonly delegates: readonly AskedDelegate[];
  readonly places: Places;
}

export interface OpenedDelegates {
  readonly rootId: string;
  /** By conversation id; those that are not here were not opened. */
  readonly names: ReadonlyMap<string, string>;
  /** Empty where all were opened. */
  readonly refusedBecause: string;
}

/** A delegate that has nothing left to do, as far as this service can see. */
export interface RestingDelegate extends Owner {
  readonly conversationId: string;
  readonly parentId: string;
  readonly rootId: string;
  readonly name: string;
  readonly kind: string;
  readonly task: string;
  readonly cancelled: boolean;
  /** Nobody is told. */
  readonly silent: boolean;
  readonly outcome: DelegateOutcome;
  /** Why its last turn did not end well; empty where it did. */
  readonly errorDetail: string;
  /** What it said last. */
  readonly report: string;
}

export interface DelegateStore {
  /** @throws Fault not_found, conversation_ended, conflict (nothing runs in the parent). */
  open(asked: AskedDelegates): Promise<OpenedDelegates>;
  /** Below this conversation, oldest first. */
  below(conversationId: string): Promise<Delegate[]>;
  /** Of every tree: not settled, no turn runs or waits, none of its own is at work. */
  resting(limit: number): Promise<RestingDelegate[]>;
  /** Which of these items became turns. */
  takenWork(workIds: readonly string[]): Promise<string[]>;
  /** Ends its conversation with it. False when somebody else did. */
  settle(delegate: RestingDelegate, reported: 'words' | 'reference' | 'nothing'): Promise<boolean>;
  /**
   * Marks what works below a conversation as stopped, and the conversation too where it is a delegate itself.
   * @returns the conversations concerned.
   */
  cancel(conversationId: string): Promise<string[]>;
}
