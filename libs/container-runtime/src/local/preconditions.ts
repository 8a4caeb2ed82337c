/** Says before anything starts why pods cannot run safely here; it never lets one start with less than it should have. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Fault } from '@bravo/faults';

/** From util-linux, which every Debian has: no regaining of rights, no outliving of the parent, no fork bomb. */
export const SETPRIV = '/usr/bin/setpriv';
export const PRLIMIT = '/usr/bin/prlimit';

/** Whether a plain process can be given a user of its own here. */
export const mayHaveOwnUsers = async (): Promise<boolean> => {
  if (process.getuid?.() !== 0) return false;
  for (const tool of [SETPRIV, PRLIMIT]) {
    try {
      await access(tool, constants.X_OK);
    } catch {
      return false;
    }
  }
  return true;
};

/** @throws Fault `pod_unavailable` naming the first directory on the way to `path` that other users may not enter. */
export const assertReachable = async (path: string, what: string): Promise<void> => {
  for (let directory = dirname(resolve(path)); ; directory = dirname(directory)) {
    const found = await stat(directory).catch(() => undefined);
    if (!found) throw new Fault('pod_unavailable', `${what} ${path} does not exist.`);
    if ((found.mode & 0o001) === 0) {
      throw new Fault(
        'pod_unavailable',
        `${what} ${path} cannot be reached by the users of pods: ${directory} is closed to them. Put it where every directory above it may be entered (chmod o+x).`,
      );
    }
    if (directory === dirname(directory)) return;
  }
};
