/** The few file operations both cgroup versions share; a missing group is an empty one, every other error is told. */
import { constants } from 'node:fs';
import { readFile, readdir, rmdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

export const isMissing = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENODEV';
};

export const setValue = (directory: string, file: string, value: string): Promise<void> =>
  writeFile(join(directory, file), value, { flag: constants.O_WRONLY });

export const pidsIn = async (directory: string): Promise<number[]> => {
  try {
    const text = await readFile(join(directory, 'cgroup.procs'), 'utf8');
    // 0 stands for a process of another pid namespace: nothing of ours, and kill(0) would be ourselves.
    return text
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** The value of `name` in a "name value" file; 0 when the file or the name is absent. */
export const counter = async (directory: string, file: string, name: string): Promise<number> => {
  try {
    const text = await readFile(join(directory, file), 'utf8');
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length + 1));
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
};

/** A file that holds one number. */
export const readNumber = async (directory: string, file: string): Promise<number> =>
  Number(await readFile(join(directory, file), 'utf8'));

export const killPids = (pids: readonly number[]): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error;
    }
  }
};

/** A group stays busy for a moment after its last process died. */
export const removeGroup = async (directory: string, tries = 100): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rmdir(directory);
      return;
    } catch (error) {
      if (isMissing(error)) return;
      if (codeOf(error) !== 'EBUSY' || attempt >= tries) throw error;
      await delay(Math.min(attempt, 20));
    }
  }
};

export const subgroups = async (directory: string): Promise<string[]> => {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};
