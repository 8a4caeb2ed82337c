/** A conversation's events from a position on, over all turns; begins with `resync` where the buffer may no longer hold what comes next. */
import type { CallSubject } from '../callers/caller.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import { type AskedPosition, isGone, isOfAnother, readPosition } from './stream-position.ts';
import type { PositionedEvent, TurnLog } from './turn-log.ts';

export interface FollowParts {
  readonly orchestrator: Pick<Orchestrator, 'getConversation'>;
  readonly turnLog: TurnLog;
}

/** Where reading begins, and whether the client must be told to read the conversation anew first. */
export interface Followed {
  readonly resync: boolean;
  readonly from: number;
  events(signal: AbortSignal): AsyncIterable<PositionedEvent>;
}

export const createFollowConversation =
  ({ orchestrator, turnLog }: FollowParts) =>
  async (subject: CallSubject, conversationId: string, asked: AskedPosition): Promise<Followed> => {
    // Whose conversation it is comes first: an id of someone else is "not found" whatever else is wrong.
    await orchestrator.getConversation(subject, conversationId);
    const place = readPosition(conversationId, asked);
    const bounds = await turnLog.bounds(subject.workspaceId, conversationId);
    const resync = place !== undefined && (isOfAnother(place, bounds) || isGone(place.position, bounds));
    const from = place === undefined || resync ? bounds.last : place.position;
    return {
      resync,
      from,
      events: (signal) => turnLog.read(subject.workspaceId, conversationId, from, signal),
    };
  };

export type FollowConversation = ReturnType<typeof createFollowConversation>;
