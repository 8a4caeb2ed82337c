/** Finds what nobody drives: turns of dead holders are ended, their ends published, and waiting turns begun. */
import type { EndedTurn } from './turn-end.ts';
import type { TurnStore } from './turn-store.ts';

export interface WatchTurnsParts {
  readonly turns: TurnStore;
  publishEnd(turn: EndedTurn): Promise<void>;
  publishLeft(): Promise<void>;
  kick(conversationId: string): void;
}

const BATCH = 50;

export const watchTurns = async ({ turns, publishEnd, publishLeft, kick }: WatchTurnsParts): Promise<void> => {
  for (const turn of await turns.interruptOrphans()) await publishEnd(turn);
  await publishLeft();
  for (const conversationId of await turns.startable(BATCH)) kick(conversationId);
};
