/** The turn stream on the bus. */
import { type Bus, isTerminal, publishTurnEvent, type TurnEvent, turnSubject } from '@bravo/events';
import type { TurnStream } from './turn-stream.ts';

export const createTurnStream = (bus: Bus): TurnStream => ({
  publish: async ({ workspaceId, conversationId }, event, id) =>
    void (await publishTurnEvent(bus, workspaceId, conversationId, event, id)),
  position: async ({ workspaceId, conversationId }) =>
    BigInt(await bus.lastSequence('TURNS', turnSubject(workspaceId, conversationId))),
  hasEnd: async ({ workspaceId, conversationId }, turnId, after) => {
    const subject = turnSubject(workspaceId, conversationId);
    const last = await bus.lastSequence('TURNS', subject);
    if (last === 0 || BigInt(last) <= after) return false;
    const { first } = await bus.bounds('TURNS');
    const reading = new AbortController();
    try {
      for await (const message of bus.read('TURNS', subject, Math.max(Number(after), first - 1), reading.signal)) {
        const event = JSON.parse(message.body) as TurnEvent;
        if (event.turn_id === turnId && isTerminal(event)) return true;
        if (message.sequence >= last) return false;
      }
      return false;
    } finally {
      reading.abort();
    }
  },
});
