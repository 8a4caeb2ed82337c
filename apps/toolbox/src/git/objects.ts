/** Objects of a repository by their id, loose or packed. Guarantees bounds on what is unpacked, however a pack was built: sizes are read before bytes, chains of deltas end. */
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { Fault } from '@bravo/faults';
import { applyDelta, sizesOfDelta } from './apply-delta.ts';
import { declined, type GitFiles } from './git-files.ts';
import { findInPack, type PackIndex, readPackIndex } from './pack-index.ts';

export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly kind: ObjectKind;
  readonly bytes: Buffer;
}

/** What is not unpacked because it is too large. */
export interface LargeObject {
  readonly kind: ObjectKind;
  readonly size: number;
}

export const isLarge = (object: GitObject | LargeObject): object is LargeObject => 'size' in object;

const MOST_OBJECT_BYTES = 32 * 1024 * 1024;
const MOST_INDEX_BYTES = 32 * 1024 * 1024;
const MOST_CHAIN = 5_000;
const MOST_PACKS = 200;
const MOST_KEPT_BYTES = 24 * 1024 * 1024;
const KINDS: readonly (ObjectKind | undefined)[] = [undefined, 'commit', 'tree', 'blob', 'tag'];
const OFS_DELTA = 6;
const REF_DELTA = 7;

interface Pack {
  /** Of its pack among the others. */
  readonly number: number;
  readonly index: PackIndex;
  readonly file: FileHandle;
  readonly size: number;
}

interface Entry {
  readonly type: number;
  readonly size: number;
  /** Where its packed bytes begin. */
  readonly at: number;
  readonly base: string | number | undefined;
}

/** An entry of a pack. */
interface Place {
  readonly pack: Pack;
  readonly at: number;
  readonly entry: Entry;
}

const keyOf = ({ pack, at }: Place): string => `${pack.number}:${at}`;

const damaged = (why: string): Fault => new Fault('conflict', `The repository is damaged: ${why}.`);

const unpack = (bytes: Uint8Array, most: number): Buffer => {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(1, most) });
  } catch {
    throw damaged('an object cannot be unpacked');
  }
};

export class Objects {
  readonly #files: GitFiles;
  readonly #packs: Pack[] = [];
  readonly #kept = new Map<string, GitObject>();
  /** By pack and place in it. */
  readonly #bases = new Map<string, GitObject>();
  #keptBytes = 0;

  private constructor(files: GitFiles) {
    this.#files = files;
  }

  /** Closes the packs afterwards. */
  static async use<T>(files: GitFiles, use: (objects: Objects) => Promise<T>): Promise<T> {
    const objects = new Objects(files);
    const names = (await files.names(['objects', 'pack'])).filter((name) => name.endsWith('.idx'));
    if (names.length > MOST_PACKS) throw declined(`it has more than ${MOST_PACKS} packs`);
    const openNext = async (at: number): Promise<T> => {
      const name = names[at];
      if (name === undefined) return use(objects);
      const index = readPackIndex((await files.bytes(['objects', 'pack', name], MOST_INDEX_BYTES)) ?? Buffer.alloc(0));
      const done = await files.open(['objects', 'pack', `${name.slice(0, -4)}.pack`], async (file, size) => {
        objects.#packs.push({ number: at, index, file, size });
        return { value: await openNext(at + 1) };
      });
      if (done === undefined) throw damaged('a pack is missing');
      return done.value;
    };
    return openNext(0);
  }

  /** @param most bytes; what is larger comes as its size alone. @throws Fault not_found, conflict for what is damaged. */
  async read(id: string, most = MOST_OBJECT_BYTES): Promise<GitObject | LargeObject> {
    this.#files.checkTime();
    const known = this.#kept.get(id);
    if (known !== undefined) return known.bytes.length > most ? { kind: known.kind, size: known.bytes.length } : known;
    for (const pack of this.#packs) {
      const at = findInPack(pack.index, id);
      if (at !== undefined) return this.#keep(id, await this.#readPacked(pack, at, most));
    }
    const loose = await this.#readLoose(id, most);
    if (loose === undefined) throw new Fault('not_found', `The object ${id.slice(0, 10)} is not in the repository.`);
    return this.#keep(id, loose);
  }

  async need(id: string, kind: ObjectKind): Promise<Buffer> {
    const object = await this.read(id);
    if (object.kind !== kind) throw damaged(`${id.slice(0, 10)} is a ${object.kind} where a ${kind} is named`);
    if (isLarge(object)) throw declined(`a ${kind} of it has ${object.size} bytes`);
    return object.bytes;
  }

  /** Ids that begin so, at most a few: enough to tell one from several. */
  async withPrefix(prefix: string): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const { index } of this.#packs) for (const id of index.withPrefix(prefix)) found.add(id);
    for (const name of await this.#files.names(['objects', prefix.slice(0, 2)]))
      if (/^[0-9a-f]{38}$/.test(name) && name.startsWith(prefix.slice(2))) found.add(prefix.slice(0, 2) + name);
    return [...found];
  }

  #keep(id: string, object: GitObject | LargeObject): GitObject | LargeObject {
    if (!isLarge(object) && this.#makeRoom(object)) this.#kept.set(id, object);
    return object;
  }

  #keepBase(place: Place, object: GitObject): GitObject {
    if (this.#makeRoom(object)) this.#bases.set(keyOf(place), object);
    return object;
  }

  #makeRoom({ bytes }: GitObject): boolean {
    if (bytes.length > 1024 * 1024) return false;
    if (this.#keptBytes > MOST_KEPT_BYTES) {
      this.#kept.clear();
      this.#bases.clear();
      this.#keptBytes = 0;
    }
    this.#keptBytes += bytes.length + 200;
    return true;
  }

  async #readLoose(id: string, most: number): Promise<GitObject | LargeObject | undefined> {
    const packed = await this.#files.bytes(['objects', id.slice(0, 2), id.slice(2)], MOST_OBJECT_BYTES);
    if (packed === undefined) return undefined;
    const whole = unpack(packed, MOST_OBJECT_BYTES + 64);
    const end = whole.subarray(0, 64).indexOf(0);
    const [, kind = '', size = ''] =
      /^(commit|tree|blob|tag) (\d{1,12})$/.exec(whole.subarray(0, end).toString('latin1')) ?? [];
    const bytes = whole.subarray(end + 1);
    if (kind === '' || Number(size) !== bytes.length) throw damaged('an object is not what it says');
    return bytes.length > most ? { kind: kind as ObjectKind, size: bytes.length } : { kind: kind as ObjectKind, bytes };
  }

  async #readPacked(pack: Pack, start: number, most: number): Promise<GitObject | LargeObject> {
    const deltas: Place[] = [];
    let here: Place = { pack, at: start, entry: entryAt(pack, start) };
    let base: GitObject | LargeObject | undefined;
    for (;;) {
      // What a chain runs through it runs through again for the next object.
      base = this.#bases.get(keyOf(here));
      if (base !== undefined || here.entry.base === undefined) break;
      if (deltas.length > MOST_CHAIN) throw damaged('a chain of deltas does not end');
      deltas.push(here);
      if (typeof here.entry.base === 'number') {
        const from = here.at - here.entry.base;
        if (here.entry.base <= 0 || from < 12) throw damaged('a delta leads nowhere');
        here = { pack: here.pack, at: from, entry: entryAt(here.pack, from) };
        continue;
      }
      const id = here.entry.base;
      const known = this.#kept.get(id);
      if (known !== undefined) {
        base = known;
        break;
      }
      const beside = this.#packs
        .map((one) => ({ one, at: findInPack(one.index, id) }))
        .find(({ at }) => at !== undefined);
      if (beside?.at === undefined) {
        base = await this.#readLoose(id, MOST_OBJECT_BYTES);
        if (base === undefined) throw damaged('the base of a delta is missing');
        break;
      }
      here = { pack: beside.one, at: beside.at, entry: entryAt(beside.one, beside.at) };
    }
    if (base === undefined) {
      const kind = KINDS[here.entry.type];
      if (kind === undefined) throw damaged('an object is of no kind');
      if (here.entry.size > (deltas.length === 0 ? most : MOST_OBJECT_BYTES)) base = { kind, size: here.entry.size };
      else base = this.#keepBase(here, { kind, bytes: unpackEntry(here.pack, here.entry) });
    }
    const [last] = deltas;
    if (last === undefined)
      return isLarge(base) || base.bytes.length <= most ? base : { kind: base.kind, size: base.bytes.length };
    const { kind } = base;
    const delta = unpackEntry(last.pack, last.entry);
    const { result } = sizesOfDelta(delta);
    if (result > most || isLarge(base)) return { kind, size: result };
    let bytes = base.bytes;
    for (const one of deltas.reverse()) {
      this.#files.checkTime();
      const next = one === last ? delta : unpackEntry(one.pack, one.entry);
      bytes = applyDelta(bytes, next, MOST_OBJECT_BYTES);
      this.#keepBase(one, { kind, bytes });
    }
    return { kind, bytes };
  }
}

const entryAt = ({ file, size: packSize }: Pack, at: number): Entry => {
  const head = Buffer.alloc(64);
  const read = readSync(file.fd, head, 0, head.length, at);
  let place = 0;
  const next = (): number => {
    if (place >= read || at + place >= packSize) throw damaged('a pack is cut off');
    return head[place++] ?? 0;
  };
  let byte = next();
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = next();
    size += (byte & 0x7f) * scale;
    if (size > Number.MAX_SAFE_INTEGER / 256) throw damaged('an object has no size that is one');
  }
  let base: Entry['base'];
  if (type === OFS_DELTA) {
    byte = next();
    let back = byte & 0x7f;
    while (byte & 0x80) {
      byte = next();
      back = (back + 1) * 128 + (byte & 0x7f);
      if (back > packSize) throw damaged('a delta leads nowhere');
    }
    base = back;
  } else if (type === REF_DELTA) {
    base = head.subarray(place, place + 20).toString('hex');
    place += 20;
  }
  return { type, size, at: at + place, base };
};

const unpackEntry = ({ file, size: packSize }: Pack, { size, at }: Entry): Buffer => {
  if (size > MOST_OBJECT_BYTES) throw declined(`an object of it has ${size} bytes`);
  // As long as something that does not get smaller when it is packed.
  const room = Math.min(packSize - at, size + Math.ceil(size / 500) + 128);
  const packed = Buffer.alloc(Math.max(0, room));
  const read = readSync(file.fd, packed, 0, packed.length, at);
  const bytes = unpack(packed.subarray(0, read), size);
  if (bytes.length !== size) throw damaged('an object is not as long as it says');
  return bytes;
};
