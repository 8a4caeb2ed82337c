/** Inclusion and consistency proofs (RFC 6962, 2.1.1 and 2.1.2) of a log of any length from few hashes. It must never be trusted by itself: whoever gets a proof checks it against a signed root. */
import { hashNode, NODE_HEIGHT } from './merkle-tree.ts';

/** Roots of perfect subtrees of one height (a multiple of NODE_HEIGHT; 0 are the leaf hashes), from the left, `to` exclusive. */
export type ReadNodes = (height: number, from: number, to: number) => Promise<readonly Uint8Array[]>;

const BLOCK = 2 ** NODE_HEIGHT;
/** Blocks of 256 hashes kept: enough for consecutive entries to share all but their own. */
const KEPT_BLOCKS = 64;

/** Of one log of a fixed size. */
export class ProofMaker {
  readonly #size: number;
  readonly #readNodes: ReadNodes;
  /** By height and number: layer 0 is what was read, each above half as long. */
  readonly #blocks = new Map<string, Promise<readonly (readonly Uint8Array[])[]>>();
  readonly #ranges = new Map<string, Uint8Array>();

  constructor(size: number, readNodes: ReadNodes) {
    this.#size = size;
    this.#readNodes = readNodes;
  }

  /** From the leaf's sibling up. @throws RangeError when the log has no such entry. */
  async inclusion(index: number): Promise<Uint8Array[]> {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.#size) {
      throw new RangeError(`a log of ${this.#size} entries has no entry ${index}`);
    }
    const proof: Uint8Array[] = [];
    let [low, high] = [0, this.#size];
    while (high - low > 1) {
      const middle = low + splitOf(high - low);
      if (index < middle) {
        proof.push(await this.#range(middle, high));
        high = middle;
      } else {
        proof.push(await this.#range(low, middle));
        low = middle;
      }
    }
    return proof.reverse();
  }

  /** That the log of `older` entries is a prefix of this one. @throws RangeError unless 0 < older <= size. */
  async consistency(older: number): Promise<Uint8Array[]> {
    if (!Number.isSafeInteger(older) || older < 1 || older > this.#size) {
      throw new RangeError(`a log of ${this.#size} entries has no prefix of ${older}`);
    }
    const proof: Uint8Array[] = [];
    let [low, high] = [0, this.#size];
    // While only the left edge was taken, the older root itself is known to whoever asks.
    let known = true;
    while (older !== high) {
      const middle = low + splitOf(high - low);
      if (older <= middle) {
        proof.push(await this.#range(middle, high));
        high = middle;
      } else {
        proof.push(await this.#range(low, middle));
        low = middle;
        known = false;
      }
    }
    if (!known) proof.push(await this.#range(low, high));
    return proof.reverse();
  }

  /** The hash over entries from `low` to before `high`; `low` is a multiple of the largest power of two in the range. */
  async #range(low: number, high: number): Promise<Uint8Array> {
    const length = high - low;
    const height = Math.log2(length);
    if (Number.isInteger(height)) return this.#perfect(low, height);
    const key = `${low}-${high}`;
    const kept = this.#ranges.get(key);
    if (kept) return kept;
    const middle = low + splitOf(length);
    const made = hashNode(await this.#range(low, middle), await this.#range(middle, high));
    if (this.#ranges.size > KEPT_BLOCKS) this.#ranges.clear();
    this.#ranges.set(key, made);
    return made;
  }

  async #perfect(low: number, height: number): Promise<Uint8Array> {
    // A full block is one hash of the height above.
    const layer = height % NODE_HEIGHT;
    const base = height - layer;
    const position = low / 2 ** base;
    const layers = await this.#block(base, Math.floor(position / BLOCK));
    return layers[layer]?.[(position % BLOCK) / 2 ** layer] as Uint8Array;
  }

  #block(base: number, number: number): Promise<readonly (readonly Uint8Array[])[]> {
    const key = `${base}:${number}`;
    const kept = this.#blocks.get(key);
    if (kept) return kept;
    const to = Math.min((number + 1) * BLOCK, Math.floor(this.#size / 2 ** base));
    const made = this.#readNodes(base, number * BLOCK, to).then(layersOver);
    if (this.#blocks.size >= KEPT_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value as string);
    this.#blocks.set(key, made);
    return made;
  }
}

const layersOver = (hashes: readonly Uint8Array[]): (readonly Uint8Array[])[] => {
  const layers: (readonly Uint8Array[])[] = [hashes];
  for (let layer = 1; layer < NODE_HEIGHT; layer += 1) {
    const below = layers[layer - 1] as readonly Uint8Array[];
    layers.push(
      Array.from({ length: Math.floor(below.length / 2) }, (_, at) =>
        hashNode(below[2 * at] as Uint8Array, below[2 * at + 1] as Uint8Array),
      ),
    );
  }
  return layers;
};

/** The largest power of two smaller than `length`. */
const splitOf = (length: number): number => 2 ** Math.floor(Math.log2(length - 1) + 1e-12);
