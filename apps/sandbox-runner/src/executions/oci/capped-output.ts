/** Counts what a stream has printed and cuts at the limit: memory of the runner never grows with what a program prints. */
import { OUTPUT_LIMIT_BYTES } from '../sandbox-backend.port.ts';

export class CappedOutput {
  #left: number;
  #truncated = false;

  constructor(limit: number = OUTPUT_LIMIT_BYTES) {
    this.#left = limit;
  }

  /** True once something did not fit. Exactly the limit is not truncated. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** The part of the chunk that may be passed on, possibly empty. */
  take(chunk: Uint8Array): Uint8Array {
    if (chunk.length <= this.#left) {
      this.#left -= chunk.length;
      return chunk;
    }
    const fitting = chunk.subarray(0, this.#left);
    this.#left = 0;
    this.#truncated = true;
    return fitting;
  }
}
