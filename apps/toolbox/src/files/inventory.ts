/** Everything a conversation holds, entry by entry, and the way back: what was listed here is put where it was, links as links and never through one. */
import { chmod, lstat, mkdir, open, readlink, rename, rm, symlink, utimes, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import { AREAS, flawOfPath, type InventoryEntry, parsePath } from '@bravo/workspace-files';
import { digestOf, modifiedOf, secondsOf, sha256 } from './file-facts.ts';
import { namesIn } from './list-directory.ts';
import { STAGING } from './staging.ts';
import { at, inDirectory, openFile, openRoot } from './walk.ts';

export interface Inventory {
  readonly entries: readonly InventoryEntry[];
  /** Of another kind, under a name that is none, or gone while it was looked at. */
  readonly leftOut: number;
}

type Area = (typeof AREAS)[number];

const describe = async (
  directory: FileHandle,
  name: string,
): Promise<Omit<InventoryEntry, 'area' | 'path'> | undefined> => {
  const place = at(directory, name);
  const stats = await lstat(place, { bigint: true });
  const common = { mode: Number(stats.mode & 0o777n), modified: modifiedOf(stats), size: 0, digest: '', target: '' };
  if (stats.isDirectory()) return { ...common, kind: 'directory' };
  if (stats.isSymbolicLink()) return { ...common, kind: 'link', target: await readlink(place) };
  if (!stats.isFile()) return undefined;
  const file = await openFile(directory, name);
  try {
    const opened = await file.stat({ bigint: true });
    if (!opened.isFile()) return undefined;
    const digest = await digestOf(file, opened);
    return { ...common, kind: 'file', modified: modifiedOf(opened), size: Number(opened.size), digest };
  } finally {
    await file.close();
  }
};

export const takeInventory = async (root: string): Promise<Inventory> => {
  const entries: InventoryEntry[] = [];
  let leftOut = 0;
  const walk = async (area: Area, current: FileHandle, before: string): Promise<void> => {
    for (const name of await namesIn(current)) {
      const path = before + name;
      const found = flawOfPath(path) === undefined ? await describe(current, name).catch(() => undefined) : undefined;
      if (found === undefined) {
        leftOut += 1;
        continue;
      }
      entries.push({ area, path, ...found });
      if (found.kind === 'directory') await inDirectory(current, [name], (below) => walk(area, below, `${path}/`));
    }
  };
  for (const area of AREAS) {
    const directory = await openRoot(join(root, area));
    try {
      await walk(area, directory, '');
    } finally {
      await directory.close();
    }
  }
  return { entries, leftOut };
};

const inArea = async <T>(
  root: string,
  area: Area,
  path: string,
  use: (directory: FileHandle, name: string) => Promise<T>,
): Promise<T> => {
  const parts = parsePath(path);
  const name = parts.at(-1);
  if (name === undefined) throw new Fault('invalid_argument', 'The entry has no name.');
  const top = await openRoot(join(root, area));
  try {
    const done = await inDirectory(top, parts.slice(0, -1), (directory) => use(directory, name));
    if (done === 'missing' || done === 'file') throw new Fault('not_found', 'The directory of the entry is not there.');
    return done;
  } finally {
    await top.close();
  }
};

/** Throws `version_conflict` when the content is another by now. */
export const readContent = (
  root: string,
  { area, path, digest }: { area: Area; path: string; digest: string },
): Promise<Buffer> =>
  inArea(root, area, path, async (directory, name) => {
    const file = await openFile(directory, name);
    try {
      const stats = await file.stat({ bigint: true });
      if (!stats.isFile() || (await digestOf(file, stats)) !== digest)
        throw new Fault('version_conflict', 'The file has changed.');
      return await file.readFile();
    } finally {
      await file.close();
    }
  });

/** Directories come before what is in them. */
export const restoreEntry = (root: string, entry: InventoryEntry, content: Uint8Array): Promise<void> =>
  inArea(root, entry.area, entry.path, async (directory, name) => {
    const place = at(directory, name);
    if (entry.kind === 'directory') return void (await mkdir(place, { mode: entry.mode, recursive: true }));
    if (entry.kind === 'link') return symlink(entry.target, place);
    const staged = join(root, STAGING, sha256(entry.area, entry.path));
    await rm(staged, { force: true });
    const file = await open(staged, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    await chmod(staged, entry.mode);
    const seconds = secondsOf(entry.modified);
    await utimes(staged, seconds, seconds);
    await rename(staged, place);
  });
