/** The turn log on JetStream. A message that is no event of ours is skipped, never shown. */
import { type Bus, type TurnEvent, turnSubject } from '@bravo/events';
import type { TurnLog } from './turn-log.ts';

export const createTurnLog = (bus: Pick<Bus, 'bounds' | 'lastSequence' | 'read'>): TurnLog => ({
  bounds: async (workspaceId, conversationId) => {
    // The conversation's newest is read first: what comes in between can only make the answer more careful.
    const ownLast = await bus.lastSequence('TURNS', turnSubject(workspaceId, conversationId));
    return { ...(await bus.bounds('TURNS')), ownLast };
  },
  read: async function* (workspaceId, conversationId, after, signal) {
    for await (const message of bus.read('TURNS', turnSubject(workspaceId, conversationId), after, signal)) {
      const event = parse(message.body);
      if (event) yield { position: message.sequence, event };
    }
  },
});

const parse = (body: string): TurnEvent | undefined => {
  try {
    const value = JSON.parse(body) as Partial<TurnEvent>;
    return typeof value.event === 'string' && typeof value.data === 'object' ? (value as TurnEvent) : undefined;
  } catch {
    return undefined;
  }
};
