/** A question to a person as a durable row; only a person can answer it, and a timeout can only refuse. */
import type { JsonObject } from '@bravo/policy';
import type { AnsweredQuestion } from '../answers/answer.ts';
import type { Grant, NewGrant } from '../grants/grant.ts';
import type { StatedReason } from '../tool-calls/tool-call.ts';
import type { AskedSoFar } from './limit-questions.ts';
import type { ApprovalStatus } from './approval-state.ts';

export interface Approval {
  readonly id: string;
  readonly toolCallId: string;
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly tool: string;
  readonly inputJson: string;
  readonly why: string;
  readonly status: ApprovalStatus;
  readonly asks: readonly StatedReason[];
  readonly trustOutputOffered: boolean;
  /** What a grant given with the answer would cover; absent: none is offered. */
  readonly grantScope: JsonObject | undefined;
  /** The rule that would let exactly this line through from now on; empty: none is offered. */
  readonly rememberRule: string;
  readonly callDigest: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: string;
  readonly decidedAt: Date | undefined;
  /** Last sign of life of a held call; absent where none waits. */
  readonly heldAt: Date | undefined;
  /** The delegate that asks; absent where the conversation itself does. */
  readonly asker?: Asker | undefined;
}

/** Whether a question is one of this conversation: its own, or of a delegate below it. */
export const isAskedIn = (
  { conversationId, asker }: Pick<Approval, 'conversationId' | 'asker'>,
  conversation: string,
): boolean => conversation !== '' && (conversationId === conversation || asker?.rootId === conversation);

export interface Asker {
  readonly name: string;
  readonly kind: string;
  readonly task: string;
  readonly rootId: string;
}

export interface PersonsAnswer {
  readonly approvalId: string;
  readonly conversationId: string;
  readonly decision: 'approved' | 'denied';
  readonly trustOutput: boolean;
  readonly by: string;
  /** Given with a yes, in the same transaction. */
  readonly grant?: NewGrant;
  /** Of a call that only asks: what they answered. */
  readonly answers?: readonly AnsweredQuestion[];
}

/** A held call that gave no sign for this long is gone. */
export const HOLD_SILENCE_MS = 6_000;

export interface ApprovalStore {
  find(id: string): Promise<Approval | undefined>;
  findByToolCall(toolCallId: string): Promise<Approval | undefined>;
  /** JSON of what was drawn for it. */
  preview(approval: Pick<Approval, 'id' | 'conversationId'>): Promise<string | undefined>;
  /** What one conversation has asked its person. */
  askedSoFar(conversationId: string, since: Date): Promise<AskedSoFar>;
  /** Questions that wait for a person, of everybody. */
  countPending(): Promise<number>;
  /** What an identical call meets: the live question, or an answer or result that never reached the agent. */
  findOpen(conversationId: string, callDigest: string): Promise<Approval | undefined>;
  /** Of a conversation: its own and those of every delegate below it. */
  list(
    person: { userId: string; workspaceId: string },
    conversationId: string | undefined,
    pendingOnly: boolean,
  ): Promise<readonly Approval[]>;
  /**
   * False when somebody or something else decided first. Asks for a turn where nobody holds the call.
   * @returns what was granted with it. @throws Fault resource_exhausted, which leaves the question open.
   */
  answer(answer: PersonsAnswer): Promise<{ readonly grant: Grant | undefined } | false>;
  /** Expires what is due. @returns the conversations concerned. */
  expireDue(now: Date): Promise<readonly string[]>;
  /** Ends what still waits in a conversation of that person, in their name. @returns how many questions. */
  withdraw(person: { userId: string; workspaceId: string }, conversationId: string): Promise<number>;
  /** Asks for a turn for every answer whose held call went away before it was picked up. */
  continueAbandoned(now: Date): Promise<void>;
  /** Sign of life of a held call. */
  hold(id: string): Promise<void>;
  release(id: string): Promise<void>;
  /** True for whoever delivers the answer first. */
  deliver(id: string): Promise<boolean>;
}
