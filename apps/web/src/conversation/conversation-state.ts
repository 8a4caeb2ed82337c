/** What the page knows of the open conversation, as one immutable value; it must never hold a timer, a socket or a DOM node. */
import type {
  Ask,
  Conversation,
  Label,
  Mode,
  Plan,
  Scope,
  SlotRef,
  StepEnd,
  Usage,
  AskingDelegate,
} from '../api/contract.ts';

export type Phase = 'idle' | 'queued' | 'waking' | 'running';

/** A piece of a message in the order it happened: words, a tool call by id, or a word of the platform about the turn. */
export type Part =
  { kind: 'text'; text: string } | { kind: 'tool'; callId: string } | { kind: 'notice'; id: string; text: string };

/** `sending`, `queued` and `unsent` exist for a person's message only; the rest are the server's words. */
export type MessageStatus =
  'sending' | 'queued' | 'unsent' | 'complete' | 'streaming' | 'cancelled' | 'failed' | 'interrupted';

export interface UiMessage {
  /** The server's id, or `local:…` until the server's is known. */
  id: string;
  role: 'user' | 'assistant';
  parts: Part[];
  status: MessageStatus;
  /** Of a message being sent: another turn was at work when the person sent it. */
  waits?: boolean;
  /** Of an answer joined in its middle: what is shown of it is checked against the stored text once it ends. */
  joined?: boolean;
  /** Milliseconds since the epoch, by the server's clock where it said so. */
  createdAt: number;
  usage?: Usage;
  /** Why it failed, or why it was not sent: a sentence. */
  problem?: string;
}

export type CallStatus =
  | 'running'
  | 'needs_approval'
  | 'approved'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'refused'
  | 'expired'
  | 'outcome_unknown';

export interface UiQuestion {
  asks: Ask[];
  /** Milliseconds since the epoch; the question can no longer be answered after it. */
  expiresAt: number;
  /** Whether "approve and let @bravo read the output" is offered. Unknown is not offered. */
  trustOutputOffered: boolean;
  /** What a grant given with the yes would cover; null: none is offered. */
  grantScope: Scope | null;
  /** The rule that would let exactly this line through from now on; empty: none is offered. */
  rememberRule: string;
  /** The delegate that asks; absent where the conversation itself does. */
  asker?: AskingDelegate;
}

export interface UiToolCall {
  id: string;
  tool: string;
  input: unknown;
  why: string;
  status: CallStatus;
  output: string;
  refs: SlotRef[];
  label?: Label;
  durationMs?: number;
  startedAt: number;
  question?: UiQuestion;
  /** Who answered the question, by name or id. */
  decidedBy?: string;
  reasons: Ask[];
  plan?: Plan;
  steps?: StepEnd[];
}

export interface StepUp {
  currentMode: Mode;
  requiredMode: Mode;
  action: string;
  /** The refused call; empty when the server did not say. */
  callId: string;
  /** What a grant for exactly this call would cover; null: only the mode helps. */
  grantScope: Scope | null;
}

export interface ConversationState {
  conversation: Conversation | null;
  messages: UiMessage[];
  calls: Record<string, UiToolCall>;
  phase: Phase;
  /** When the phase began, milliseconds since the epoch. */
  phaseSince: number;
  stepUp: StepUp | null;
  /** Why the last turn ended, when no message of it can say so. */
  problem: string | null;
  /** Sequence of the last event applied; an event at or below it is a repeat. */
  position: number;
  /** True when the buffer lost our place and the whole conversation must be read again. */
  stale: boolean;
  /** True when the stream speaks of something only a fresh read can show (a message of another tab). */
  incomplete: boolean;
  /** Whether the server holds messages from before the first one here. */
  hasOlder: boolean;
}

export const EMPTY_CONVERSATION: ConversationState = {
  conversation: null,
  messages: [],
  calls: {},
  phase: 'idle',
  phaseSince: 0,
  stepUp: null,
  problem: null,
  position: 0,
  stale: false,
  incomplete: false,
  hasOlder: false,
};

/** The calls that wait for the person, oldest first. */
export function openQuestions(state: ConversationState): UiToolCall[] {
  return Object.values(state.calls)
    .filter((call) => call.status === 'needs_approval')
    .sort((a, b) => a.startedAt - b.startedAt);
}

/** Whether a person's message waits for the turn before it to end. */
export function isWaiting(message: UiMessage): boolean {
  return message.status === 'queued' || (message.status === 'sending' && message.waits === true);
}

/** What a message says, without its cards. */
export function plainText(message: UiMessage): string {
  return message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
