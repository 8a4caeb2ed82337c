/** Gives other users of the machine a path to public program files they can reach; never copies anything that is private. */
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** True when every directory above `file` may be searched by any user and the file itself may be read by any user. */
export const reachableByAnyUser = (file: string): boolean => {
  const resolved = path.resolve(file);
  if ((statSync(resolved).mode & 0o004) === 0) return false;
  for (let directory = path.dirname(resolved); ; directory = path.dirname(directory)) {
    if ((statSync(directory).mode & 0o001) === 0) return false;
    if (directory === path.dirname(directory)) return true;
  }
};

/** Root shares through the system's cache; any other user runs everything as itself and needs no sharing. */
export const cacheDirectory = (): string =>
  process.getuid?.() === 0 ? '/var/cache/bravo' : path.join(homedir(), '.cache', 'bravo');

/** Reading for everybody, and entering or running where the owner may, whatever umask the original was made under. */
const openToAll = (entry: string): void => {
  const status = lstatSync(entry);
  if (status.isSymbolicLink()) return;
  chmodSync(entry, (status.mode & 0o700) | 0o444 | (status.mode & 0o100 ? 0o111 : 0));
  if (status.isDirectory()) for (const name of readdirSync(entry)) openToAll(path.join(entry, name));
};

/**
 * The source itself when any user can reach it, else a copy named by what it was copied from and when that changed.
 * The copy is made beside its place and renamed, so that two starts at once never see half of it.
 */
export const reachableCopy = (source: string, label: string): string => {
  if (reachableByAnyUser(source)) return source;
  const { mtimeMs, size } = statSync(source);
  const digest = createHash('sha256').update(`${source}\n${mtimeMs}\n${size}`).digest('hex').slice(0, 16);
  const target = path.join(cacheDirectory(), `${label}-${digest}`, path.basename(source));
  if (existsSync(target)) return target;
  const parent = path.dirname(target);
  const partial = `${parent}.${process.pid}`;
  mkdirSync(partial, { recursive: true, mode: 0o755 });
  cpSync(source, path.join(partial, path.basename(source)), { recursive: true, verbatimSymlinks: true });
  for (const directory of [path.dirname(parent), partial]) chmodSync(directory, 0o755);
  openToAll(path.join(partial, path.basename(source)));
  try {
    renameSync(partial, parent);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
};
