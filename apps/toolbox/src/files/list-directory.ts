/** What is in a directory, level by level and in order; a link is named and never entered. */
import { readdir, type FileHandle } from 'node:fs/promises';
import type { ListedEntry } from '@bravo/workspace-files';
import { inDirectory, lookAt } from './walk.ts';

export const namesIn = async (directory: FileHandle): Promise<string[]> =>
  (await readdir(`/proc/self/fd/${directory.fd}`)).sort();

/** @param depth 1 is the directory's own entries. @param after only what comes behind this path, itself of this order. */
export const listDirectory = async (
  directory: FileHandle,
  prefix: string,
  depth: number,
  maxEntries: number,
  after = '',
): Promise<{ readonly entries: readonly ListedEntry[]; readonly truncated: boolean }> => {
  const entries: ListedEntry[] = [];
  const list = async (current: FileHandle, before: string, levels: number): Promise<boolean> => {
    for (const name of await namesIn(current)) {
      const { kind, size } = await lookAt(current, name);
      if (kind === 'other' || kind === 'missing') continue;
      const path = before + name;
      // Nothing below a directory that stands before the place and is not on the way to it comes behind it.
      if (after !== '' && !comesBehind(path, after)) {
        if (kind !== 'directory' || (path !== after && !after.startsWith(`${path}/`))) continue;
      } else {
        if (entries.length >= maxEntries) return false;
        entries.push({ path, kind, size, landing: '' });
      }
      if (kind !== 'directory' || levels <= 1) continue;
      const whole = await inDirectory(current, [name], (below) => list(below, `${before}${name}/`, levels - 1));
      if (whole === false) return false;
    }
    return true;
  };
  const whole = await list(directory, prefix, depth);
  return { entries, truncated: !whole };
};

/** In the order of a listing: name by name, a directory before what is in it. */
const comesBehind = (path: string, after: string): boolean => {
  const [mine, other] = [path.split('/'), after.split('/')];
  for (const [at, name] of mine.entries()) {
    const beside = other[at];
    if (beside === undefined) return true;
    if (name !== beside) return name > beside;
  }
  return false;
};

export interface Usage {
  readonly bytes: number;
  readonly entries: number;
}

export const usageOf = async (directory: FileHandle): Promise<Usage> => {
  let bytes = 0;
  let entries = 0;
  const count = async (current: FileHandle): Promise<void> => {
    for (const name of await namesIn(current)) {
      const { kind, size } = await lookAt(current, name);
      entries += 1;
      bytes += size;
      if (kind === 'directory') await inDirectory(current, [name], count);
    }
  };
  await count(directory);
  return { bytes, entries };
};
