/** Positions of a conversation's event stream. An id names its conversation, so a client can never continue somebody else's stream with it. */
import { Fault } from '@bravo/faults';

/** A place in a stream. Positions count from 1 again in a stream that was lost and made anew, so the generation belongs to them. */
export interface StreamPlace {
  readonly position: number;
  /** Absent in a bare position and where nobody knows it. */
  readonly generation?: string;
}

/** `<conversation>:<position>-<generation>`, without the generation where there is none. */
export const eventIdOf = (conversationId: string, { position, generation }: StreamPlace): string =>
  `${conversationId}:${position}${generation === undefined ? '' : `-${generation}`}`;

export interface AskedPosition {
  readonly lastEventId: string | undefined;
  readonly after: string | undefined;
}

/**
 * Where the client wants to go on: an event's id, with or without its generation, or a bare position. Undefined: from now on.
 * @throws Fault invalid_argument for an id of another conversation and for anything that is no position.
 */
export const readPosition = (
  conversationId: string,
  { lastEventId, after }: AskedPosition,
): StreamPlace | undefined => {
  const asked = lastEventId || after;
  if (!asked) return undefined;
  const match = /^(?:([a-z]{2,4}_[0-9a-z]{1,40}):)?(\d{1,15})(?:-([0-9a-z]{1,16}))?$/.exec(asked);
  const field = lastEventId ? 'Last-Event-ID' : 'after';
  if (!match) {
    throw new Fault('invalid_argument', `${field} must be the id of an event of this conversation, or a position.`, {
      meta: { field },
    });
  }
  if (match[1] !== undefined && match[1] !== conversationId) {
    throw new Fault('invalid_argument', `${field} is an event of another conversation.`, { meta: { field } });
  }
  return { position: Number(match[2]), ...(match[3] === undefined ? {} : { generation: match[3] }) };
};

export interface StreamBounds {
  /** Oldest and newest position the buffer holds, over all conversations. */
  readonly first: number;
  readonly last: number;
  /** Newest position of this conversation, 0 when the buffer holds none of it. */
  readonly ownLast: number;
  /** Of the stream there is now. */
  readonly generation: string;
}

/** Whether the place belongs to a stream that was lost since: its position says nothing about the one there is now. */
export const isOfAnother = ({ generation }: StreamPlace, bounds: Pick<StreamBounds, 'generation'>): boolean =>
  generation !== undefined && generation !== bounds.generation;

/**
 * Whether events after the position may be gone. A position past the newest belongs to a buffer that was lost and begun anew.
 * Positions are shared by all conversations, so this can say "gone" where only others' events went: a needless reload, never a silent gap.
 */
export const isGone = (position: number, { first, last, ownLast }: Omit<StreamBounds, 'generation'>): boolean => {
  if (position > last) return true;
  if (position >= ownLast && ownLast > 0) return false;
  return position + 1 < first;
};

/**
 * The position to tell with a snapshot that was read after `first` was. Everything before `first` had happened by then, so the
 * snapshot has it; telling the lower position would make the client believe it had missed something.
 */
export const tellablePosition = (position: number, first: number): number => Math.max(position, first - 1);
