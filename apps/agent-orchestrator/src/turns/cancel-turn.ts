/** Stops the running turn within two seconds and drops those that wait; asked again it stops nothing and is no error. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import type { Owner } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { EndedTurn } from './turn-end.ts';
import type { TurnStore } from './turn-store.ts';

export interface CancelTurnParts {
  readonly conversations: ConversationStore;
  readonly turns: TurnStore;
  publishEnd(turn: EndedTurn): Promise<void>;
  /** Reaches the turn if it is driven here; another instance sees the mark on the row. */
  stopHere(conversationId: string): void;
}

/** A turn nobody drives any more is ended by the take-over, for which a caller is not kept. */
const PATIENCE_MS = 4_000;

export type StopTurns = (conversationId: string) => Promise<boolean>;

/** @returns whether anything was stopped. The caller has checked whose conversation it is. */
export const createStopTurns =
  ({ turns, publishEnd, stopHere }: Omit<CancelTurnParts, 'conversations'>): StopTurns =>
  async (conversationId) => {
    const { dropped, running } = await turns.requestCancel(conversationId);
    if (running) stopHere(conversationId);
    for (const turn of dropped) await publishEnd(turn);
    for (const deadline = Date.now() + PATIENCE_MS; running && Date.now() < deadline; await sleep(30)) {
      if ((await turns.find(conversationId, running))?.status !== 'running') break;
    }
    return running !== '' || dropped.length > 0;
  };

export const createCancelTurn =
  ({ conversations, stopTurns }: { readonly conversations: ConversationStore; readonly stopTurns: StopTurns }) =>
  async (owner: Owner, conversationId: string): Promise<boolean> => {
    if (!(await conversations.find(conversationId, owner)))
      throw new Fault('not_found', 'There is no such conversation.');
    return stopTurns(conversationId);
  };
