/** The ranges of user ids that programs get: each is one program's from before it starts until everything of it is removed. */
import { MAX_SLOTS } from './instance.ts';

export class IdRanges {
  readonly #free: number[];
  readonly #waiting: ((range: number) => void)[] = [];

  constructor(size = MAX_SLOTS) {
    this.#free = Array.from({ length: size }, (_, range) => range);
  }

  get free(): number {
    return this.#free.length;
  }

  /** First come, first served. How many may ask at once is bounded by admission, not here. */
  take(): Promise<number> {
    const range = this.#free.shift();
    return range === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(range);
  }

  giveBack(range: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(range);
    else next(range);
  }
}
