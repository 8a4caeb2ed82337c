/** Takes new and changed regular files out of a finished run's workspace; opens nothing else, follows nothing, and carries no more than the limits. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setImmediate as breath } from 'node:timers/promises';
import { HARVEST_LIMITS, type OutputFile, type SkipReason, type SkippedFile } from '../sandbox-backend.port.ts';
import { cleanName, shownName } from './printable-name.ts';

export interface Harvest {
  readonly files: OutputFile[];
  readonly skipped: SkippedFile[];
}

/** Content digest of what was put in, by path: the same bytes at the same path are no news. */
export type Baseline = ReadonlyMap<string, string>;

export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY, O_DIRECTORY } = constants;

/** A path relative to an open directory, as openat(2) has it and Node does not. */
const at = (directory: number, name: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${directory}/`), name]);

/** The files lie in memory, so each is looked at at once; between so many entries or bytes others get their turn. */
const BREATH_ENTRIES = 64;
const BREATH_BYTES = 1024 * 1024;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

class Walk {
  readonly files: OutputFile[] = [];
  readonly skipped: SkippedFile[] = [];
  readonly #baseline: Baseline;
  #bytes = 0;
  #entries = 0;
  #sinceBreath = 0;

  constructor(baseline: Baseline) {
    this.#baseline = baseline;
  }

  skip(shown: string, reason: SkipReason): void {
    if (this.skipped.length < HARVEST_LIMITS.skippedNamed) this.skipped.push({ path: shown, reason });
  }

  async directory(
    directory: number,
    shownPrefix: string,
    cleanPrefix: string | undefined,
    depth: number,
  ): Promise<void> {
    const names = readdirSync(`/proc/self/fd/${directory}`, { encoding: 'buffer' });
    names.sort(Buffer.compare);
    for (const name of names) {
      this.#entries += 1;
      if (this.#entries > HARVEST_LIMITS.entries) {
        this.skip(shownPrefix || '.', 'too_many');
        return;
      }
      this.#sinceBreath += BREATH_BYTES / BREATH_ENTRIES;
      if (this.#sinceBreath > BREATH_BYTES) {
        this.#sinceBreath = 0;
        await breath();
      }
      const clean = cleanName(name);
      await this.entry(
        directory,
        name,
        shownPrefix + shownName(name),
        clean === undefined || cleanPrefix === undefined ? undefined : cleanPrefix + clean,
        depth,
      );
    }
  }

  async entry(parent: number, name: Buffer, shown: string, path: string | undefined, depth: number): Promise<void> {
    const path_ = at(parent, name);
    // Every process of the run is dead, so what lstat sees is what open gets; open refuses to follow all the same.
    const stats = lstatSync(path_);
    if (stats.isSymbolicLink()) return this.skip(shown, 'symlink');
    if (stats.isFIFO()) return this.skip(shown, 'fifo');
    if (stats.isSocket()) return this.skip(shown, 'socket');
    if (!stats.isDirectory() && !stats.isFile()) return this.skip(shown, 'device');
    if (path === undefined) return this.skip(shown, 'bad_name');
    if (stats.isDirectory()) {
      if (depth >= HARVEST_LIMITS.depth) return this.skip(shown, 'directory_too_deep');
      const handle = openSync(path_, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      try {
        return await this.directory(handle, `${shown}/`, `${path}/`, depth + 1);
      } finally {
        closeSync(handle);
      }
    }
    return this.file(path_, path, stats.size);
  }

  file(path_: Buffer, path: string, size: number): void {
    const before = this.#baseline.get(path);
    // The stated size decides, not the blocks: a sparse file is as long as it says once it is carried.
    const tooLarge = size > HARVEST_LIMITS.fileBytes || this.#bytes + size > HARVEST_LIMITS.totalBytes;
    if (tooLarge && before === undefined) return this.skip(path, 'too_large');
    if (this.files.length >= HARVEST_LIMITS.files && before === undefined) return this.skip(path, 'too_many');
    let handle: number;
    try {
      handle = openSync(path_, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    } catch (error) {
      return this.skip(path, codeOf(error) === 'ELOOP' ? 'symlink' : 'unreadable');
    }
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) return this.skip(path, 'unreadable');
      const content = size > HARVEST_LIMITS.fileBytes ? undefined : readFileSync(handle);
      if (content !== undefined && before === digestOf(content)) return;
      if (content === undefined || tooLarge) return this.skip(path, 'too_large');
      if (this.files.length >= HARVEST_LIMITS.files) return this.skip(path, 'too_many');
      this.#bytes += content.length;
      this.#sinceBreath += content.length;
      // Set-uid bits and odd permissions are the program's claims; only "may be run" is carried on.
      this.files.push({ path, content, mode: (stats.mode & 0o111) === 0 ? 0o644 : 0o755 });
    } finally {
      closeSync(handle);
    }
  }
}

/** `view` is a mount on which the kernel follows no links, and no process of the run may be alive. */
export const harvest = async (view: string, baseline: Baseline): Promise<Harvest> => {
  const walk = new Walk(baseline);
  const root = openSync(view, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await walk.directory(root, '', '', 0);
  } finally {
    closeSync(root);
  }
  return { files: walk.files, skipped: walk.skipped };
};
