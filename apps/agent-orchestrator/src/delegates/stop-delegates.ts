/** Stops what works below a conversation: no turn of it goes on, and no question of it waits. Asked again it stops nothing. */
import type { Caller } from '../access/caller.ts';
import type { Broker } from '../conversations/broker.ts';
import type { StopTurns } from '../turns/cancel-turn.ts';
import type { DelegateStore } from './delegate-store.ts';

export interface StopDelegatesParts {
  readonly delegates: Pick<DelegateStore, 'cancel'>;
  readonly stopTurns: StopTurns;
  readonly broker: Pick<Broker, 'withdraw'>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** @returns whether anything was stopped. A delegate itself is stopped with what is below it. */
export type StopDelegates = (caller: Caller, conversationId: string) => Promise<boolean>;

export const createStopDelegates =
  ({ delegates, stopTurns, broker, log }: StopDelegatesParts): StopDelegates =>
  async (caller, conversationId) => {
    const stopped = await delegates.cancel(conversationId);
    await Promise.all(
      stopped.map(async (id) => {
        await stopTurns(id);
        await broker
          .withdraw(caller, id)
          .catch((err: unknown) => log('the questions of a stopped delegate could not be withdrawn', { id, err }));
      }),
    );
    return stopped.length > 0;
  };
