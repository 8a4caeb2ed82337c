/** The index of a working tree; one that is split or sparse is not the whole truth and is declined. */
import { declined } from './git-files.ts';

export interface IndexEntry {
  readonly path: string;
  readonly mode: number;
  readonly id: string;
  /** 0, or the side of a conflict. */
  readonly stage: number;
  readonly intentToAdd: boolean;
  readonly assumeValid: boolean;
}

const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;

export const readIndex = (bytes: Buffer): IndexEntry[] => {
  const cut = () => declined('its index is cut off');
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') throw declined('its index is none');
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw declined('its index has another version');
  const count = bytes.readUInt32BE(8);
  const end = bytes.length - 20;
  const entries: IndexEntry[] = [];
  let at = 12;
  let previous: Buffer = Buffer.alloc(0);
  for (let n = 0; n < count; n += 1) {
    const start = at;
    if (at + 62 > end) throw cut();
    const mode = bytes.readUInt32BE(at + 24);
    const id = bytes.toString('hex', at + 40, at + 60);
    const flags = bytes.readUInt16BE(at + 60);
    at += 62;
    let more = 0;
    if (version >= 3 && flags & EXTENDED) {
      more = bytes.readUInt16BE(at);
      at += 2;
    }
    if (more & SKIP_WORKTREE) throw declined('its checkout is sparse');
    let name: Buffer;
    if (version === 4) {
      let [strip, byte] = [0, bytes[at++] ?? 0];
      strip = byte & 0x7f;
      while (byte & 0x80) {
        byte = bytes[at++] ?? 0;
        strip = (strip + 1) * 128 + (byte & 0x7f);
      }
      const stop = bytes.indexOf(0, at);
      if (stop < 0 || strip > previous.length) throw cut();
      name = Buffer.concat([previous.subarray(0, previous.length - strip), bytes.subarray(at, stop)]);
      at = stop + 1;
      previous = name;
    } else {
      const stop = bytes.indexOf(0, at);
      if (stop < 0 || stop > end) throw cut();
      name = bytes.subarray(at, stop);
      // Filled up to eight bytes, with one zero at least.
      at = start + Math.ceil((stop - start + 1) / 8) * 8;
    }
    if (mode === 0o040000) throw declined('its index is sparse');
    entries.push({
      ...{ path: name.toString('utf8'), mode, id, stage: (flags >> 12) & 3 },
      intentToAdd: (more & INTENT_TO_ADD) !== 0,
      assumeValid: (flags & 0x8000) !== 0,
    });
  }
  while (at + 8 <= end) {
    const name = bytes.toString('latin1', at, at + 4);
    if (name === 'link') throw declined('its index is split');
    if (name === 'sdir') throw declined('its index is sparse');
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return entries;
};
