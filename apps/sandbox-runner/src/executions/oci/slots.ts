/** Hands out the id ranges of concurrent runs, first come first served, and refuses rather than queue without bound. */
import { Fault } from '@bravo/faults';

export class Slots {
  readonly #free: number[];
  readonly #waiting: { resolve: (slot: number) => void; reject: (error: unknown) => void }[] = [];
  readonly #queueLimit: number;

  constructor(size: number, queueLimit = 64) {
    this.#free = Array.from({ length: size }, (_, slot) => slot);
    this.#queueLimit = queueLimit;
  }

  /** Throws `resource_exhausted` when too many wait; rejects with the signal's reason when it aborts while waiting. */
  acquire(signal?: AbortSignal): Promise<number> {
    signal?.throwIfAborted();
    const slot = this.#free.shift();
    if (slot !== undefined) return Promise.resolve(slot);
    if (this.#waiting.length >= this.#queueLimit) {
      throw new Fault('resource_exhausted', 'Too many programs wait to be run. Try again in a minute.');
    }
    return new Promise((resolve, reject) => {
      const entry = {
        resolve: (granted: number) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(granted);
        },
        reject,
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(entry);
    });
  }

  release(slot: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next.resolve(slot);
  }
}
