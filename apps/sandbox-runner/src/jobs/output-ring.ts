/** The last of what a stream printed, by its place from the beginning; its memory is bounded however much comes. */
export class OutputRing {
  readonly #keep: number;
  #chunks: Uint8Array[] = [];
  #at = 0;
  #end = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** Bytes printed in all. */
  get end(): number {
    return this.#end;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#end += chunk.length;
    while (this.#end - this.#at > this.#keep) {
      const [first] = this.#chunks;
      if (first === undefined) return;
      const surplus = this.#end - this.#at - this.#keep;
      if (first.length <= surplus) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(surplus);
      this.#at += Math.min(first.length, surplus);
    }
  }

  /** From `place` on, or from where what is kept begins when that is later. */
  from(place: number): { readonly at: number; readonly bytes: Uint8Array } {
    const at = Math.min(Math.max(place, this.#at), this.#end);
    return { at, bytes: Buffer.concat(this.#chunks).subarray(at - this.#at) };
  }
}
