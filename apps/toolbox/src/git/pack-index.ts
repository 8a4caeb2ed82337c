/** Where the objects of a pack are, by its index of the second version; a place it names is checked by whoever reads there. */
import { declined } from './git-files.ts';

export interface PackIndex {
  readonly bytes: Buffer;
  readonly count: number;
  withPrefix(prefix: string): readonly string[];
}

const FANOUT_AT = 8;
const IDS_AT = FANOUT_AT + 256 * 4;
const ID = 20;
const MOST_ALIKE = 5;

export const readPackIndex = (bytes: Buffer): PackIndex => {
  if (bytes.length < IDS_AT || bytes.readUInt32BE(0) !== 0xff744f63 || bytes.readUInt32BE(4) !== 2)
    throw declined('a pack of it has an index of another version');
  const count = bytes.readUInt32BE(IDS_AT - 4);
  if (IDS_AT + count * (ID + 8) > bytes.length) throw declined('the index of a pack is cut off');
  const idAt = (at: number): string => bytes.toString('hex', IDS_AT + at * ID, IDS_AT + (at + 1) * ID);
  return {
    bytes,
    count,
    withPrefix: (prefix) => {
      const found: string[] = [];
      const padded = prefix.padEnd(40, '0');
      for (
        let at = firstNotBelow(bytes, count, Buffer.from(padded, 'hex'));
        at < count && found.length < MOST_ALIKE;
        at += 1
      ) {
        if (!idAt(at).startsWith(prefix)) break;
        found.push(idAt(at));
      }
      return found;
    },
  };
};

const firstNotBelow = (bytes: Buffer, count: number, id: Buffer): number => {
  const first = id[0] ?? 0;
  let low = first === 0 ? 0 : Math.min(count, bytes.readUInt32BE(FANOUT_AT + (first - 1) * 4));
  let high = Math.min(count, bytes.readUInt32BE(FANOUT_AT + first * 4));
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bytes.compare(id, 0, ID, IDS_AT + middle * ID, IDS_AT + (middle + 1) * ID) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The place in the pack, or undefined. */
export const findInPack = ({ bytes, count }: PackIndex, id: string): number | undefined => {
  const wanted = Buffer.from(id, 'hex');
  const at = firstNotBelow(bytes, count, wanted);
  if (at >= count || bytes.compare(wanted, 0, ID, IDS_AT + at * ID, IDS_AT + (at + 1) * ID) !== 0) return undefined;
  const place = bytes.readUInt32BE(IDS_AT + count * (ID + 4) + at * 4);
  if (place < 0x80000000) return place;
  const far = IDS_AT + count * (ID + 8) + (place - 0x80000000) * 8;
  return far + 8 <= bytes.length ? Number(bytes.readBigUInt64BE(far)) : undefined;
};
