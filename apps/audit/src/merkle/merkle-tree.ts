/** RFC 6962 hashing. Guarantees the root of any prefix of a log from its leaf hashes in one pass; it must never hash a leaf and a node the same way. */
import { createHash, hash } from 'node:crypto';

export const HASH_BYTES = 32;
/** Roots of subtrees are kept at every multiple of this height: each is 256 of the ones below. */
export const NODE_HEIGHT = 8;

const nodeInput = Buffer.alloc(1 + 2 * HASH_BYTES, 1);
let leafInput = Buffer.alloc(8 * 1024);

export const hashLeaf = (bytes: Uint8Array): Buffer => {
  if (bytes.length + 1 > leafInput.length) leafInput = Buffer.alloc(2 * bytes.length + 1);
  leafInput.set(bytes, 1);
  return hash('sha256', leafInput.subarray(0, bytes.length + 1), 'buffer');
};

export const hashNode = (left: Uint8Array, right: Uint8Array): Buffer => {
  nodeInput.set(left, 1);
  nodeInput.set(right, 1 + HASH_BYTES);
  return hash('sha256', nodeInput, 'buffer');
};

/** A log so far: how many leaves, and the roots of its perfect subtrees from the largest to the smallest. */
export interface MerkleState {
  readonly size: number;
  readonly peaks: readonly Uint8Array[];
}

/** The root of the perfect subtree over entries `position * 2^height` and on. */
export interface TreeNode {
  readonly height: number;
  readonly position: number;
  readonly hash: Uint8Array;
}

export const EMPTY_LOG: MerkleState = Object.freeze({ size: 0, peaks: [] });

/** Grows a log leaf by leaf, keeping only its peaks. */
export class TreeBuilder implements MerkleState {
  size: number;
  readonly peaks: Uint8Array[];

  constructor(from: MerkleState = EMPTY_LOG) {
    this.size = from.size;
    this.peaks = [...from.peaks];
  }

  /** `onNode` is told each finished subtree whose height is a multiple of NODE_HEIGHT. */
  append(leafHash: Uint8Array, onNode?: (node: TreeNode) => void): void {
    let merged: Uint8Array = leafHash;
    let height = 0;
    // Each trailing 1 of the old size is a perfect subtree as large as the one just made.
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) {
      merged = hashNode(this.peaks.pop() as Uint8Array, merged);
      height += 1;
      if (height % NODE_HEIGHT === 0) onNode?.({ height, position: (rest - 1) / 2, hash: merged });
    }
    this.peaks.push(merged);
    this.size += 1;
  }
}

/** The Merkle tree hash of the log; of an empty one SHA-256 of nothing. */
export const rootOf = ({ peaks }: MerkleState): Buffer => {
  if (peaks.length === 0) return createHash('sha256').digest();
  return Buffer.from(peaks.reduceRight((right, left) => hashNode(left, right)));
};

export const packPeaks = ({ peaks }: MerkleState): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.concat([...peaks]));

/** @throws Error when the bytes cannot be the subtrees of a log of that size. */
export const unpackPeaks = (size: number, packed: Uint8Array): MerkleState => {
  const count = [...size.toString(2)].filter((bit) => bit === '1').length;
  if (packed.length !== count * HASH_BYTES) {
    throw new Error(`${packed.length} bytes of subtrees do not belong to a log of ${size} entries`);
  }
  const peaks = Array.from({ length: count }, (_, at) => packed.slice(at * HASH_BYTES, (at + 1) * HASH_BYTES));
  return { size, peaks };
};
