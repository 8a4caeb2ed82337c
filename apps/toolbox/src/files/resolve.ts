/**
 * Where a path leads: every link on the way is followed by us, name by name over open directories, and none by the kernel. So a link
 * that is swapped in between leads nowhere, ".." goes back to the directory that was opened before, and nothing leads out.
 */
import { constants } from 'node:fs';
import { mkdir, open, readlink, type FileHandle } from 'node:fs/promises';
import { Fault } from '@bravo/faults';
import { flawOfPath, shown } from '@bravo/workspace-files';
import { at, errorCode, lookAt, openDirectory } from './walk.ts';

/** A name in an open directory, which no link stands for; '' for the directory itself. */
export interface Place {
  readonly directory: FileHandle;
  readonly name: string;
  /** From the root, with no link on the way. */
  readonly landing: string;
}

/** The way ends early: nothing is there, or a file is in its way. */
export interface NoPlace {
  readonly ends: 'missing' | 'file';
  readonly landing: string;
}

/** Where programs see the files: an absolute target below it is one of them. */
const SEEN_BY_PROGRAMS = '/workspace';
const MOST_LINKS = 40;

const leads = (path: readonly string[], where: string): Fault =>
  new Fault('invalid_argument', `The path ${shown(path.join('/'))} goes through a link that leads ${where}.`);

const partsOf = (target: string, path: readonly string[]): { parts: string[]; absolute: boolean } => {
  const absolute = target.startsWith('/');
  const inside = target === SEEN_BY_PROGRAMS || target.startsWith(`${SEEN_BY_PROGRAMS}/`);
  if (absolute && !inside) throw leads(path, 'out of the files of this conversation');
  const parts = (absolute ? target.slice(SEEN_BY_PROGRAMS.length) : target).split('/');
  const names = parts.filter((part) => part !== '' && part !== '.');
  // What is no name is no name on the way either; ".." is taken step by step.
  if (flawOfPath(names.filter((part) => part !== '..').join('/')) !== undefined) throw leads(path, 'to no name');
  return { parts: names, absolute };
};

/**
 * Gives the place to `use` with its directory open. `create` makes missing directories on the way.
 * Throws `invalid_argument` for a way that leads out or in a circle, `version_conflict` for one that changes under it.
 */
export const atPlace = async <T>(
  root: FileHandle,
  path: readonly string[],
  use: (place: Place) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T | NoPlace> => {
  const above: { readonly handle: FileHandle; readonly name: string }[] = [];
  const current = (): FileHandle => above.at(-1)?.handle ?? root;
  const landing = (...more: readonly string[]): string => [...above.map(({ name }) => name), ...more].join('/');
  const goUp = async (): Promise<void> => {
    const last = above.pop();
    if (last === undefined) throw leads(path, 'out of the files of this conversation');
    await last.handle.close();
  };
  let pending = [...path];
  let links = 0;
  const follow = async (name: string): Promise<void> => {
    links += 1;
    if (links > MOST_LINKS) throw leads(path, 'in a circle');
    const { parts, absolute } = partsOf(await readlink(at(current(), name)), path);
    if (absolute) while (above.length > 0) await goUp();
    pending = [...parts, ...pending];
  };
  try {
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      if (name === '..') {
        await goUp();
        continue;
      }
      if (pending.length === 0) {
        const { kind } = await lookAt(current(), name);
        if (kind !== 'link') return await use({ directory: current(), name, landing: landing(name) });
        await follow(name);
        continue;
      }
      let next = await openDirectory(current(), name);
      if (next === 'missing' && options.create === true && !pending.includes('..')) {
        await mkdir(at(current(), name), { mode: 0o700 });
        next = await openDirectory(current(), name);
      }
      if (next === 'link') {
        await follow(name);
        continue;
      }
      if (typeof next === 'string') {
        const rest = pending.filter((part) => part !== '..');
        return { ends: next === 'missing' ? 'missing' : 'file', landing: landing(name, ...rest) };
      }
      above.push({ handle: next, name });
    }
    return await use({ directory: current(), name: '', landing: landing() });
  } catch (error) {
    if (CHANGED_UNDERNEATH.includes(errorCode(error) ?? ''))
      throw new Fault('version_conflict', `The path ${shown(path.join('/'))} changed while it was looked at.`);
    throw error;
  } finally {
    for (const { handle } of above) await handle.close();
  }
};

/**
 * What the kernel says only where a program moved something between a look and the use of what was seen: O_NOFOLLOW met a link, or
 * readlink none; a name came, went, or is of another kind by now.
 */
const CHANGED_UNDERNEATH = ['ELOOP', 'EINVAL', 'ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY'];

/** As `atPlace`, with the directory itself open. */
export const atDirectory = async <T>(
  root: FileHandle,
  path: readonly string[],
  use: (directory: FileHandle, landing: string) => Promise<T>,
): Promise<T | NoPlace> =>
  atPlace<T | NoPlace>(root, path, async ({ directory, name, landing }) => {
    if (name === '') return use(directory, landing);
    const { kind } = await lookAt(directory, name);
    if (kind !== 'directory') return { ends: kind === 'missing' ? 'missing' : 'file', landing };
    const handle = await open(at(directory, name), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      return await use(handle, landing);
    } finally {
      await handle.close();
    }
  });

export const isNoPlace = (found: unknown): found is NoPlace =>
  typeof found === 'object' && found !== null && 'ends' in found && 'landing' in found;
