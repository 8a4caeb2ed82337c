/** The stored messages the page has read, as one stretch without a hole up to the newest; it must never join what does not touch. */
import type { Message } from '../api/contract.ts';

export interface KnownMessages {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** Where the page before them begins: empty when there is none, undefined when it was not asked yet. */
  readonly cursor: string | undefined;
}

/** How many messages a conversation is answered with. */
export const NEWEST = 50;

/** @param newest oldest first, as a conversation is answered. What was known before them stays only where the two touch. */
export function addNewest(known: KnownMessages | undefined, newest: readonly Message[]): KnownMessages {
  const at = known?.messages.findIndex((message) => message.id === newest[0]?.id) ?? -1;
  if (known && at >= 0) return { ...known, messages: [...known.messages.slice(0, at), ...newest] };
  return { messages: newest, cursor: newest.length < NEWEST ? '' : undefined };
}

/** @param page newest first, as messages are listed; the first page holds the known ones too. */
export function addOlder(known: KnownMessages, page: readonly Message[], nextCursor: string): KnownMessages {
  const ids = new Set(known.messages.map((message) => message.id));
  const older = page.filter((message) => !ids.has(message.id)).toReversed();
  return { messages: [...older, ...known.messages], cursor: nextCursor };
}
