/** RFC 9162, 2.1.4.2: what a witness does with a proof; production code must never import it. */
import { hashNode } from '../merkle/merkle-tree.ts';

interface Head {
  readonly size: number;
  readonly root: Buffer;
}

export const verifyConsistency = (older: Head, newer: Head, proof: readonly Buffer[]): boolean => {
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  if (older.size > newer.size || proof.length === 0) return false;
  const path = Number.isInteger(Math.log2(older.size)) ? [older.root, ...proof] : [...proof];
  let [fn, sn] = [older.size - 1, newer.size - 1];
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)];
  const [first, ...rest] = path as [Buffer, ...Buffer[]];
  let [fr, sr] = [first, first];
  for (const c of rest) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [hashNode(c, fr), hashNode(c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else sr = hashNode(sr, c);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && fr.equals(older.root) && sr.equals(newer.root);
};
