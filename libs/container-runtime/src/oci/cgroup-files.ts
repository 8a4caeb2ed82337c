/**
 * The few file operations both cgroup versions share; a missing group is an empty one, every other error is told. What a start
 * and an end wait for is done at once: these files are the kernel's own memory, and a thread pool would cost more than they do.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

export const isMissing = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENODEV';
};

export const setValue = async (directory: string, file: string, value: string): Promise<void> => {
  // Some of these files can only be written, and the flags by name would read as well or make one anew.
  const opened = openSync(join(directory, file), constants.O_WRONLY);
  try {
    writeSync(opened, value);
  } finally {
    closeSync(opened);
  }
};

export const pidsIn = async (directory: string): Promise<number[]> => {
  try {
    const text = readFileSync(join(directory, 'cgroup.procs'), 'utf8');
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
    const text = readFileSync(join(directory, file), 'utf8');
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length + 1));
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
};

/** A file that holds one number. */
export const readNumber = async (directory: string, file: string): Promise<number> =>
  Number(readFileSync(join(directory, file), 'utf8'));

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

/** With what a runtime that was killed left inside. */
export const removeGroupTree = async (directory: string): Promise<void> => {
  for (const name of await subgroups(directory)) await removeGroupTree(join(directory, name));
  await removeGroup(directory);
};
