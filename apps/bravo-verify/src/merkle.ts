/** RFC 6962 hashing and RFC 9162 proof checking, written apart from the server's so that one mistake is not made twice. */
import { createHash } from 'node:crypto';

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const leafHash = (bytes: Uint8Array): Buffer => sha256(Uint8Array.of(0), bytes);
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Uint8Array.of(1), left, right);

/** RFC 9162, 2.1.3.2. The root that an entry and its path lead to; undefined where the path cannot be one. */
export const rootFromInclusion = (
  index: number,
  size: number,
  leaf: Buffer,
  path: readonly Buffer[],
): Buffer | undefined => {
  if (index >= size) return undefined;
  let [fn, sn, root] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (sn === 0 || sibling.length !== 32) return undefined;
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(sibling, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else root = nodeHash(root, sibling);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 ? root : undefined;
};

export interface Head {
  readonly size: number;
  readonly root: Buffer;
}

/** RFC 9162, 2.1.4.2. */
export const isConsistent = (older: Head, newer: Head, path: readonly Buffer[]): boolean => {
  if (older.size === newer.size) return path.length === 0 && older.root.equals(newer.root);
  if (older.size < 1 || older.size > newer.size || path.some((hash) => hash.length !== 32)) return false;
  const whole = Number.isInteger(Math.log2(older.size)) ? [older.root, ...path] : [...path];
  const first = whole.shift();
  if (first === undefined) return false;
  let [fn, sn] = [older.size - 1, newer.size - 1];
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)];
  let [fr, sr] = [first, first];
  for (const hash of whole) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [nodeHash(hash, fr), nodeHash(hash, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else sr = nodeHash(sr, hash);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && fr.equals(older.root) && sr.equals(newer.root);
};

/** The roots of a log's perfect subtrees, left to right: all that has to be remembered to know its root. */
export class CompactRange {
  size = 0;
  #roots: Buffer[] = [];

  /** @param roots of the perfect subtrees of a log of that size. @throws Error when there cannot be so many. */
  static from(size: number, roots: readonly Buffer[]): CompactRange {
    const ones = [...size.toString(2)].filter((bit) => bit === '1').length;
    if (size > 0 && ones !== roots.length) throw new Error(`${roots.length} subtrees do not make a log of ${size}`);
    const range = new CompactRange();
    range.size = size;
    range.#roots = [...roots];
    return range;
  }

  append(leaf: Buffer): void {
    let merged = leaf;
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2)
      merged = nodeHash(this.#roots.pop() as Buffer, merged);
    this.#roots.push(merged);
    this.size += 1;
  }

  root(): Buffer {
    if (this.#roots.length === 0) return sha256();
    return this.#roots.reduceRight((right, left) => nodeHash(left, right));
  }
}
