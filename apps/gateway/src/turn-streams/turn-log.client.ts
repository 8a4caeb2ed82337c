/** The turn log on JetStream. A message that is no event of ours is skipped, never shown. */
import { type Bus, type TurnEvent, turnSubject } from '@bravo/events';
import type { TurnLog } from './turn-log.ts';

export const createTurnLog = (bus: Pick<Bus, 'bounds' | 'lastSequence' | 'read'>): TurnLog => ({
  bounds: async (workspaceId, conversationId) => {
    // The conversation's newest is read first: what comes in between can only make the answer more careful.
    const ownLast = await bus.lastSequence('TURNS', turnSubject(workspaceId, conversationId));
    const { first, last, created } = await bus.bounds('TURNS');
    return { first, last, ownLast, generation: generationOf(created) };
  },
  generation: async () => generationOf((await bus.bounds('TURNS')).created),
  read: async function* (workspaceId, conversationId, after, signal) {
    // Before the first event: a stream that is lost while it is read then leaves ids of a past generation, never wrong ones.
    const generation = generationOf((await bus.bounds('TURNS')).created);
    for await (const message of bus.read('TURNS', turnSubject(workspaceId, conversationId), after, signal)) {
      const event = parse(message.body);
      if (event) yield { position: message.sequence, generation, event };
    }
  },
});

const generationOf = (created: Date): string => created.getTime().toString(36);

const parse = (body: string): TurnEvent | undefined => {
  try {
    const value = JSON.parse(body) as Partial<TurnEvent>;
    return typeof value.event === 'string' && typeof value.data === 'object' ? (value as TurnEvent) : undefined;
  } catch {
    return undefined;
  }
};
