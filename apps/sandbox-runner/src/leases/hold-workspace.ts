/**
 * Lets one effect on the files of a conversation happen under the lease of this process: waited for a while where another runner has
 * it, renewed while the effect lasts, given back after it. Effects at the same time in this process share it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import type { Lease, LeaseKey, LeaseStore } from './lease-store.port.ts';

export interface HoldTimes {
  /** After this a holder that does not renew is taken for dead. */
  readonly ttlMs: number;
  /** How long an effect waits for another runner: long enough for a dead one's lease to run out. */
  readonly patienceMs: number;
}

export const HOLD_TIMES: HoldTimes = { ttlMs: 10_000, patienceMs: 15_000 };
const ASK_AGAIN_MS = 50;

/** A lease that is held: its head moves with what is committed. */
export interface Held {
  readonly fence: number;
  /** Name of the snapshot. */
  readonly head: string;
  /** False when the lease was lost: then nothing was set, and the effect did not happen. */
  commit(head: string): Promise<boolean>;
}

const nameOf = ({ workspaceId, conversationId }: LeaseKey): string => `${workspaceId}/${conversationId}`;

class Holding {
  readonly lease: Promise<Lease>;
  uses = 0;
  head = '';
  renewing: NodeJS.Timeout | undefined;

  constructor(lease: Promise<Lease>) {
    this.lease = lease;
  }
}

export class WorkspaceHolds {
  readonly #store: LeaseStore;
  readonly #times: HoldTimes;
  readonly #holding = new Map<string, Holding>();

  constructor(store: LeaseStore, times: HoldTimes = HOLD_TIMES) {
    this.#store = store;
    this.#times = times;
  }

  head(key: LeaseKey): Promise<string | undefined> {
    return this.#store.head(key);
  }

  /**
   * Throws Fault `unavailable` when another runner keeps it for longer than the patience; then `effect` was not begun.
   * @param first head of a conversation that has no lease yet.
   */
  async during<T>(key: LeaseKey, first: () => Promise<string>, effect: (held: Held) => Promise<T>): Promise<T> {
    const holding = this.#hold(key, first);
    holding.uses += 1;
    try {
      const lease = await holding.lease;
      return await effect({
        fence: lease.fence,
        get head() {
          return holding.head;
        },
        commit: async (head) => {
          const set = await this.#store.commit(key, lease, head);
          if (set) holding.head = head;
          return set;
        },
      });
    } finally {
      holding.uses -= 1;
      if (holding.uses === 0) await this.#letGo(key, holding);
    }
  }

  #hold(key: LeaseKey, first: () => Promise<string>): Holding {
    const known = this.#holding.get(nameOf(key));
    if (known !== undefined) return known;
    const holding: Holding = new Holding(
      this.#take(key, first).then((lease) => {
        holding.head = lease.head;
        holding.renewing = setInterval(() => {
          // Whoever lost it learns so when it commits; a database that is away for a moment is asked again.
          this.#store.renew(key, lease, this.#times.ttlMs).catch(() => undefined);
        }, this.#times.ttlMs / 4);
        holding.renewing.unref();
        return lease;
      }),
    );
    this.#holding.set(nameOf(key), holding);
    return holding;
  }

  async #take(key: LeaseKey, first: () => Promise<string>): Promise<Lease> {
    const head = (await this.#store.head(key)) ?? (await first());
    for (const until = Date.now() + this.#times.patienceMs; ; await delay(ASK_AGAIN_MS)) {
      const lease = await this.#store.take(key, this.#times.ttlMs, head);
      if (lease !== undefined) return lease;
      if (Date.now() > until)
        throw new Fault(
          'unavailable',
          'The files of this conversation are in use on another runner. Try again in a moment.',
        );
    }
  }

  async #letGo(key: LeaseKey, holding: Holding): Promise<void> {
    clearInterval(holding.renewing);
    this.#holding.delete(nameOf(key));
    const lease = await holding.lease.catch(() => undefined);
    // What is not given back runs out.
    if (lease !== undefined) await this.#store.release(key, lease).catch(() => undefined);
  }
}
