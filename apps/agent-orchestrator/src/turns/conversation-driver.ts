/** Drives the turns of each conversation one after the other, as long as this instance holds its lease. */
import { inSpanOf } from '@bravo/chassis/spans';
import type { LeaseKeeper } from '../leases/keep-leases.ts';
import { driveTurn, type DriveTurnParts, type StopReason } from './drive-turn.ts';
import type { TurnStore } from './turn-store.ts';

export interface ConversationDriverParts {
  readonly turns: TurnStore;
  readonly leases: () => LeaseKeeper;
  readonly drive: DriveTurnParts;
  readonly newMessageId: () => string;
  /** Whether the conversation has a pod here: then its lease is kept between turns. */
  hasPod(conversationId: string): boolean;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

interface Active {
  /** Somebody asked to look again meanwhile. */
  again: boolean;
  stop: AbortController | undefined;
  done: Promise<void>;
}

export class ConversationDriver {
  readonly #parts: ConversationDriverParts;
  readonly #active = new Map<string, Active>();
  #stopping = false;

  constructor(parts: ConversationDriverParts) {
    this.#parts = parts;
  }

  /** Looks for a turn to drive. Cheap, and harmless when there is none. */
  kick(conversationId: string): void {
    if (this.#stopping) return;
    const active = this.#active.get(conversationId);
    if (active) {
      active.again = true;
      return;
    }
    const fresh: Active = { again: false, stop: undefined, done: Promise.resolve() };
    this.#active.set(conversationId, fresh);
    fresh.done = this.#run(conversationId, fresh);
  }

  /** Stops the turn that is driven here, if one is. */
  stop(conversationId: string, reason: StopReason): void {
    this.#active.get(conversationId)?.stop?.abort(reason);
  }

  isDriven(conversationId: string): boolean {
    return this.#active.has(conversationId);
  }

  /** Ends what is driven as interrupted; begins nothing more. */
  async close(): Promise<void> {
    this.#stopping = true;
    for (const id of this.#active.keys()) this.stop(id, 'shutdown');
    await Promise.all([...this.#active.values()].map(({ done }) => done));
  }

  async #run(conversationId: string, active: Active): Promise<void> {
    const { turns, leases, drive, newMessageId, hasPod, log } = this.#parts;
    let delegated = false;
    try {
      do {
        active.again = false;
        while (!this.#stopping) {
          const turn = await turns.startNext(conversationId, newMessageId());
          if (!turn) break;
          leases().hold(conversationId, turn.leaseAskedAt);
          active.stop = new AbortController();
          if (this.#stopping) active.stop.abort('shutdown' satisfies StopReason);
          const { signal } = active.stop;
          const attributes = { 'bravo.turn': turn.id, 'bravo.conversation': conversationId };
          await inSpanOf(turn.traceparent, 'drive-turn', () => driveTurn(drive, turn, signal), { attributes });
          active.stop = undefined;
          delegated = turn.rootId !== undefined;
        }
      } while (active.again && !this.#stopping);
      // A delegate between its turns waits for others, who may need the place.
      if (delegated) await drive.releaseOf(conversationId, 'its delegate waits or is done');
      if (!hasPod(conversationId)) await leases().release(conversationId);
    } catch (err) {
      log('a conversation could not be driven on; its lease is given up', { conversation: conversationId, err });
      // A turn that is left running is ended as interrupted by whoever finds it without a holder.
      await leases()
        .release(conversationId)
        .catch(() => undefined);
    } finally {
      this.#active.delete(conversationId);
    }
  }
}
