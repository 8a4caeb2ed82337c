/** Moves through directories one open at a time, never through a link: Node has no openat(2), and /proc/self/fd is how one gets it. */
import { constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { Fault } from '@bravo/faults';
import { shown } from '@bravo/workspace-files';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

export const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** The path of `name` relative to an open directory; valid while the handle is open, wherever the directory is moved. */
export const at = (directory: FileHandle, name: string): string => `/proc/self/fd/${directory.fd}/${name}`;

export const openRoot = (path: string): Promise<FileHandle> => open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

export const openFile = (directory: FileHandle, name: string): Promise<FileHandle> =>
  open(at(directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

export type EntryKind = 'file' | 'directory' | 'link' | 'other' | 'missing';

export interface Entry {
  readonly kind: EntryKind;
  readonly size: number;
}

export const lookAt = async (directory: FileHandle, name: string): Promise<Entry> => {
  try {
    const stats = await lstat(at(directory, name));
    if (stats.isSymbolicLink()) return { kind: 'link', size: 0 };
    if (stats.isDirectory()) return { kind: 'directory', size: 0 };
    return { kind: stats.isFile() ? 'file' : 'other', size: stats.size };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'missing', size: 0 };
    throw error;
  }
};

/** For ways that are only ever our own listing's: what is a link there was none a moment ago. */
const linkRefused = (path: string): Fault =>
  new Fault('version_conflict', `The path ${shown(path)} changed while it was looked at.`);

export const openDirectory = async (parent: FileHandle, name: string): Promise<FileHandle | EntryKind> => {
  try {
    return await open(at(parent, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return 'missing';
    if (code === 'ELOOP') return 'link';
    // With O_DIRECTORY the kernel says ENOTDIR of a link as well.
    if (code === 'ENOTDIR') return (await lookAt(parent, name)).kind === 'link' ? 'link' : 'file';
    throw error;
  }
};

/**
 * Opens the directory at `parts` below `root`, with no link on the way, and gives it to `use`; closes everything it opened, but not
 * `root`. Resolves with 'missing' or 'file' where the way ends early.
 */
export const inDirectory = async <T>(
  root: FileHandle,
  parts: readonly string[],
  use: (directory: FileHandle) => Promise<T>,
): Promise<T | 'missing' | 'file'> => {
  let current = root;
  try {
    for (const part of parts) {
      const next = await openDirectory(current, part);
      if (next === 'link') throw linkRefused(parts.join('/'));
      if (typeof next === 'string') return next === 'missing' ? 'missing' : 'file';
      if (current !== root) await current.close();
      current = next;
    }
    return await use(current);
  } finally {
    if (current !== root) await current.close();
  }
};
