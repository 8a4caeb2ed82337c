/** One holder at a time across processes; the lock of a process that is gone counts for nothing. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';

/** Long enough to write a line; a lock without a name after this is what a crash left. */
const namelessMs = 5_000;

const isHeld = (file: string): boolean => {
  try {
    return isAlive(JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity);
  } catch {
    // Being written, just released, or cut off by a crash.
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return written !== undefined && Date.now() - written < namelessMs;
  }
};

/**
 * Removes a lock that nobody holds. Two that judged the same dead lock at the same time must not both remove: the second would
 * remove the first one's new lock. So one of them at a time looks again and removes.
 */
const clearAbandoned = (file: string): void => {
  const guard = `${file}.clearing`;
  try {
    writeFileSync(guard, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const made = statSync(guard, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > namelessMs) rmSync(guard, { force: true });
    return;
  }
  try {
    if (!isHeld(file)) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
};

/** The function that releases the lock, or undefined when somebody alive holds it. */
export const tryLock = (file: string): (() => void) | undefined => {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, JSON.stringify(identify(process.pid)), { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (isHeld(file)) return undefined;
    clearAbandoned(file);
  }
  return undefined;
};

/** Waits as long as it takes: whoever holds it either ends or dies. */
export const waitForLock = async (file: string): Promise<() => void> => {
  for (;;) {
    const release = tryLock(file);
    if (release) return release;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
