/** The proofs against the definitions of RFC 6962 themselves, spelled out over all leaves. */
import { hashLeaf, hashNode, NODE_HEIGHT, rootOf, TreeBuilder, type TreeNode } from './merkle-tree.ts';
import { ProofMaker } from './proofs.ts';

const leaf = (index: number): Buffer => hashLeaf(Buffer.from(`entry ${index}`));

const splitOf = (length: number): number => {
  let power = 1;
  while (power * 2 < length) power *= 2;
  return power;
};
const treeHash = (leaves: readonly Buffer[]): Buffer => {
  if (leaves.length === 1) return leaves[0] as Buffer;
  const k = splitOf(leaves.length);
  return hashNode(treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
};
const path = (m: number, leaves: readonly Buffer[]): Buffer[] => {
  if (leaves.length === 1) return [];
  const k = splitOf(leaves.length);
  return m < k
    ? [...path(m, leaves.slice(0, k)), treeHash(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), treeHash(leaves.slice(0, k))];
};
const subproof = (m: number, leaves: readonly Buffer[], whole: boolean): Buffer[] => {
  if (m === leaves.length) return whole ? [] : [treeHash(leaves)];
  const k = splitOf(leaves.length);
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), whole), treeHash(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), treeHash(leaves.slice(0, k))];
};

/** A log of that many entries with the nodes a signer would have kept. */
const logOf = (size: number) => {
  const leaves = Array.from({ length: size }, (_, index) => leaf(index));
  const builder = new TreeBuilder();
  const nodes: TreeNode[] = [];
  for (const hash of leaves) builder.append(hash, (node) => nodes.push(node));
  let reads = 0;
  const maker = new ProofMaker(size, async (height, from, to) => {
    reads += 1;
    if (height === 0) return leaves.slice(from, to);
    const found = nodes.filter((node) => node.height === height && node.position >= from && node.position < to);
    return found.map(({ hash }) => hash);
  });
  return { leaves, root: rootOf(builder), maker, reads: () => reads };
};

const hex = (hashes: readonly Uint8Array[]): string[] => hashes.map((hash) => Buffer.from(hash).toString('hex'));

describe('proofs', () => {
  it('of every entry and every prefix of every small log are those of the RFC', async () => {
    for (let size = 1; size <= 40; size += 1) {
      const { leaves, root, maker } = logOf(size);
      expect(root).toEqual(treeHash(leaves));
      for (let index = 0; index < size; index += 1)
        expect(hex(await maker.inclusion(index))).toEqual(hex(path(index, leaves)));
      for (let older = 1; older <= size; older += 1)
        expect(hex(await maker.consistency(older))).toEqual(hex(subproof(older, leaves, true)));
    }
  });

  it.each([255, 256, 257, 511, 512, 1000, 70_000])('of a log of %i entries, across the kept nodes', async (size) => {
    const { leaves, maker } = logOf(size);
    for (const index of [0, 1, 254, 255, 256, 65_535, 65_536, size - 2, size - 1].filter((at) => at >= 0 && at < size))
      expect(hex(await maker.inclusion(index))).toEqual(hex(path(index, leaves)));
    for (const older of [1, 2, 255, 256, 257, 65_536, size - 1, size].filter((at) => at > 0 && at <= size))
      expect(hex(await maker.consistency(older))).toEqual(hex(subproof(older, leaves, true)));
  });

  it('read little: a few blocks, however long the log', async () => {
    const { maker, reads } = logOf(70_000);
    await maker.inclusion(1_234);
    expect(reads()).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(70_000) / NODE_HEIGHT) + 2);
    const before = reads();
    await maker.inclusion(1_235);
    expect(reads()).toBe(before);
  });

  it.each([-1, 5, 1.5, Number.NaN])('refuse an entry that is not there: %p', async (index) => {
    await expect(logOf(5).maker.inclusion(index)).rejects.toThrow(/has no entry/);
  });

  it.each([0, 6])('refuse a prefix that is not there: %p', async (older) => {
    await expect(logOf(5).maker.consistency(older)).rejects.toThrow(/has no prefix/);
  });
});
