/** Remembers an answer for at most a second, shares it with whoever asks meanwhile, and forgets it when told to; a failure is never remembered. */

/** A changed role or a revoked token must hold on the next call, so answers about access may never be kept for longer. */
const LONGEST_MS = 1_000;

export interface BriefCacheOptions {
  /** Counted from the question, because what the answer was read from may be as old as that. */
  readonly ttlMs?: number;
  readonly maxEntries?: number;
  /** Milliseconds of any clock that does not go back. */
  readonly now?: () => number;
}

interface Entry<T> {
  until: number;
  readonly answer: Promise<T>;
  /** Undefined while the answer is on its way. */
  value: T | undefined;
}

export class BriefCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #ttlMs: number;
  readonly #maxEntries: number;
  readonly #now: () => number;

  constructor({ ttlMs = 900, maxEntries = 5_000, now = () => performance.now() }: BriefCacheOptions = {}) {
    if (ttlMs > LONGEST_MS) throw new Error(`Answers about access may be kept for ${LONGEST_MS} ms at most.`);
    this.#ttlMs = ttlMs;
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  /** `validUntil` shortens an answer's life, by the same clock: a token that expires sooner is not kept past it. */
  get(key: string, load: () => Promise<T>, validUntil?: (value: T) => number): Promise<T> {
    const asked = this.#now();
    const known = this.#entries.get(key);
    if (known && known.until > asked) return known.answer;
    const entry: Entry<T> = { until: asked + this.#ttlMs, answer: load(), value: undefined };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.answer.then(
      (value) => {
        entry.value = value;
        if (validUntil) entry.until = Math.min(entry.until, validUntil(value));
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    // The oldest goes first, so that a flood of new keys never clears everybody's answers at once.
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries) break;
      this.#entries.delete(oldest);
    }
    return entry.answer;
  }

  /** Forgets every key that begins so; '' forgets everything. */
  invalidate(prefix = ''): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }

  /** Forgets what fits, and every answer still on its way: it may have been read before the change. */
  forget(fits: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (value === undefined || fits(value)) this.#entries.delete(key);
    }
  }
}
