/** Remembers an answer for at most a second and forgets it at once when told to; a failure is never remembered. */

export interface BriefCacheOptions {
  readonly ttlMs: number;
  readonly now: () => number;
  readonly maxEntries: number;
}

interface Entry<T> {
  readonly until: number;
  readonly value: Promise<T>;
  /** Undefined while the answer is still on its way. */
  settled: T | undefined;
}

export class BriefCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #options: BriefCacheOptions;

  constructor(options: BriefCacheOptions) {
    this.#options = options;
  }

  get(key: string, load: () => Promise<T>): Promise<T> {
    const { ttlMs, now, maxEntries } = this.#options;
    const known = this.#entries.get(key);
    if (known && known.until > now()) return known.value;
    if (this.#entries.size >= maxEntries) this.#entries.clear();
    const entry: Entry<T> = { until: now() + ttlMs, value: load(), settled: undefined };
    this.#entries.set(key, entry);
    entry.value.then(
      (value) => {
        entry.settled = value;
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.value;
  }

  /** Forgets what fits, and every answer still on its way: it may have been read before the change. */
  forget(fits: (value: T) => boolean): void {
    for (const [key, { settled }] of this.#entries) {
      if (settled === undefined || fits(settled)) this.#entries.delete(key);
    }
  }
}
