/** Objects as files of this machine: written beside, made lasting, and moved into place. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { checkKey, type ObjectStore } from '../object-store.port.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};

/** No part of a key has a dot, so what is on its way in is never taken for an object. */
const PARTIAL = '.partial';

export const openDirectoryObjects = async (root: string): Promise<ObjectStore> => {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const pathOf = (key: string): string => join(root, `${checkKey(key)}.object`);
  return {
    put: async (key, content) => {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const fresh = `${path}.${randomBytes(6).toString('hex')}${PARTIAL}`;
      const file = await open(fresh, 'wx', 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(fresh, path);
      await syncDirectory(dirname(path));
    },
    get: async (key) => {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    list: async (prefix) => {
      const top = join(root, checkKey(prefix.replace(/\/$/, '')));
      const entries = await readdir(top, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') return [];
        throw error;
      });
      return entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.object'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).replace(/\.object$/, ''));
    },
    remove: async (key) => {
      const path = pathOf(key);
      await rm(path, { force: true });
      // What is empty now goes too, but not the first level: another writer may be about to use it.
      for (
        let directory = dirname(path);
        dirname(directory) !== root && directory !== root;
        directory = dirname(directory)
      ) {
        const gone = await rmdir(directory).then(
          () => true,
          () => false,
        );
        if (!gone) break;
      }
    },
  };
};
