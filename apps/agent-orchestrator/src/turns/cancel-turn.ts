/** Stops the running turn within two seconds and drops those that wait; asked again it stops nothing and is no error. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import type { Caller } from '../access/caller.ts';
import type { Broker } from '../conversations/broker.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { StopDelegates } from '../delegates/stop-delegates.ts';
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

export interface CancelTurnUse {
  readonly conversations: ConversationStore;
  readonly stopTurns: StopTurns;
  /** What works for it is stopped with it. */
  readonly stopDelegates: StopDelegates;
  readonly broker: Pick<Broker, 'withdraw'>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** The turn is stopped whatever the broker says: a question that could not be withdrawn still asks a person, and expires. */
export const createCancelTurn =
  ({ conversations, stopTurns, stopDelegates, broker, log }: CancelTurnUse) =>
  async (caller: Caller, conversationId: string): Promise<boolean> => {
    if (!(await conversations.find(conversationId, caller)))
      throw new Fault('not_found', 'There is no such conversation.');
    const stopped = await stopTurns(conversationId);
    await broker
      .withdraw(caller, conversationId)
      .catch((err: unknown) => log('the questions of a stopped turn could not be withdrawn', { conversationId, err }));
    // After the turn itself: from here on it starts no delegate any more.
    const below = await stopDelegates(caller, conversationId);
    return stopped || below;
  };
