import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { EMPTY_LOG, hashLeaf, type MerkleState, packPeaks, rootOf, TreeBuilder, unpackPeaks } from './merkle-tree.ts';

const sha = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The definition of RFC 6962, section 2.1, word for word: split at the largest power of two below the size. */
const referenceRoot = (leaves: readonly Uint8Array[]): Buffer => {
  const [only] = leaves;
  if (only === undefined) return sha();
  if (leaves.length === 1) return sha(Uint8Array.of(0), only);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha(Uint8Array.of(1), referenceRoot(leaves.slice(0, split)), referenceRoot(leaves.slice(split)));
};

const grow = (leaves: readonly Uint8Array[], from: MerkleState = EMPTY_LOG): MerkleState => {
  const builder = new TreeBuilder(from);
  for (const leaf of leaves) builder.append(hashLeaf(leaf));
  return builder;
};

describe('RFC 6962 tree', () => {
  it('has the published roots of the eight sample leaves', () => {
    const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    const bytes = leaves.map((hex) => Buffer.from(hex, 'hex'));
    expect(roots.map((_, at) => rootOf(grow(bytes.slice(0, at + 1))).toString('hex'))).toEqual(roots);
  });

  it('of nothing is the hash of nothing', () => {
    expect(rootOf(EMPTY_LOG)).toEqual(sha());
  });

  it('agrees with the definition at every size, and goes on from packed subtrees', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 70 }), fc.nat(70), (leaves, at) => {
        const cut = Math.min(at, leaves.length);
        const half = grow(leaves.slice(0, cut));
        const unpacked = unpackPeaks(half.size, packPeaks(half));
        const whole = grow(leaves.slice(cut), unpacked);
        expect(rootOf(whole)).toEqual(referenceRoot(leaves));
        expect(rootOf(half)).toEqual(referenceRoot(leaves.slice(0, cut)));
      }),
      { numRuns: 60 },
    );
  });

  it('refuses subtrees of another size', () => {
    expect(() => unpackPeaks(3, new Uint8Array(32))).toThrow(/do not belong/);
    expect(unpackPeaks(0, new Uint8Array(0))).toEqual(EMPTY_LOG);
  });
});
