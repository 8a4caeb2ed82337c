/** What a conversation, a message and a turn are; types and the few rules that need nothing else. */
import { Fault } from '@bravo/faults';

export type Mode = 'ask' | 'coworker' | 'voice';
export type MessageRole = 'user' | 'assistant' | 'system';
export type MessageStatus = 'complete' | 'streaming' | 'cancelled' | 'failed' | 'interrupted';
export type TurnStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

export interface Conversation {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly title: string;
  readonly mode: Mode;
  readonly status: 'active' | 'ended';
  readonly policyVersion: string;
  /** Somebody looks on: said when it began, and shown. */
  readonly attended: boolean;
  readonly attachedUntil: Date | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Empty when none runs. */
  readonly runningTurnId: string;
  /** What it is as somebody's delegate; `undefined` for a conversation of a person's own. */
  readonly delegate: DelegatePlace | undefined;
}

export interface DelegatePlace {
  readonly parentId: string;
  readonly rootId: string;
  /** d1, d1.2 and the like. */
  readonly name: string;
  readonly kind: string;
  readonly depth: number;
  /** What its definition says to it; empty: it has none. */
  readonly instructions: string;
}

export interface Message {
  readonly id: string;
  /** Grows with each message of the orchestrator: the order of a conversation. */
  readonly seq: bigint;
  readonly conversationId: string;
  readonly turnId: string;
  readonly role: MessageRole;
  readonly content: string;
  readonly status: MessageStatus;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Fault code, empty when nothing went wrong. */
  readonly errorCode: string;
  readonly createdAt: Date;
}

/** Whose conversation: never taken from anything but the principal. */
export interface Owner {
  readonly workspaceId: string;
  readonly userId: string;
}

/** What a conversation begins in when nobody chose: all the person has, each effect still asked for as the policy says. */
export const DEFAULT_MODE: Mode = 'coworker';
/** A pod is told the message, its context and at least the beginning of a transcript in one frame under 64 KiB. */
export const MAX_CONTENT_BYTES = 48 * 1024;
export const MAX_CONTEXT_BYTES = 8 * 1024;
const MAX_TITLE = 80;

/** @throws Fault invalid_argument */
export const readMode = (text: string): Mode => {
  if (text === '') return DEFAULT_MODE;
  if (text === 'ask' || text === 'coworker' || text === 'voice') return text;
  throw new Fault('invalid_argument', `"${text.slice(0, 40)}" is no mode. The modes are ask, coworker and voice.`, {
    meta: { field: 'mode' },
  });
};

/** A delegate is steered through the conversation it works for. */
export const delegateHasNone = (what: string): Fault =>
  new Fault('conflict', `A delegate has no ${what}. Speak to the conversation it works for, or stop the delegate.`);

/** First line of the first message, cut between characters and not inside one. */
export const titleOf = (content: string): string => {
  const line = content.trim().split(/\r?\n/, 1)[0]?.replace(/\s+/g, ' ') ?? '';
  const characters = [...line];
  return characters.length <= MAX_TITLE ? line : `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
};

/** @throws Fault invalid_argument, payload_too_large */
export const checkContent = (content: string): void => {
  if (content.trim() === '') {
    throw new Fault('invalid_argument', 'A message needs content.', { meta: { field: 'content' } });
  }
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_CONTENT_BYTES) {
    throw new Fault('payload_too_large', `A message may have ${MAX_CONTENT_BYTES} bytes; this one has ${bytes}.`, {
      meta: { field: 'content' },
    });
  }
};

/** @returns the JSON object on one line, empty when there is none. @throws Fault invalid_argument, payload_too_large */
export const readContext = (text: string): string => {
  if (text === '') return '';
  const field = { meta: { field: 'context' } };
  let line: string;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object');
    line = JSON.stringify(value);
  } catch (cause) {
    throw new Fault('invalid_argument', 'The context must be a JSON object.', { ...field, cause });
  }
  const bytes = Buffer.byteLength(line);
  if (bytes <= MAX_CONTEXT_BYTES) return line;
  throw new Fault(
    'payload_too_large',
    `The context may have ${MAX_CONTEXT_BYTES} bytes; this one has ${bytes}.`,
    field,
  );
};
