/** RFC 6962 hashing. Guarantees the root of any prefix of a log from its leaf hashes in one pass; it must never hash a leaf and a node the same way. */
import { createHash } from 'node:crypto';

export const HASH_BYTES = 32;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const hashLeaf = (bytes: Uint8Array): Buffer => createHash('sha256').update(LEAF).update(bytes).digest();

const hashNode = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

/** A log so far: how many leaves, and the roots of its perfect subtrees from the largest to the smallest. */
export interface MerkleState {
  readonly size: number;
  readonly peaks: readonly Uint8Array[];
}

export const EMPTY_LOG: MerkleState = Object.freeze({ size: 0, peaks: [] });

export const appendLeaf = ({ size, peaks }: MerkleState, leafHash: Uint8Array): MerkleState => {
  const next = [...peaks];
  let hash: Uint8Array = leafHash;
  // Each trailing 1 of the old size is a perfect subtree as large as the one just made.
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) hash = hashNode(next.pop() as Uint8Array, hash);
  return { size: size + 1, peaks: [...next, hash] };
};

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
