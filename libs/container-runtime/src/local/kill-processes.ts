/** Ends every process a search finds, also those that keep forking; never returns while one is left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@bravo/faults';

export const signalAll = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids) signal(pid, name);
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself in the meantime.
  }
};

/** All are frozen before any is killed, so that none can fork while its siblings die. */
export const killProcesses = async (find: () => readonly number[], what: string): Promise<void> => {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const frozen = new Set<number>();
    for (let news = find(); news.some((pid) => !frozen.has(pid)); news = find()) {
      for (const pid of news) {
        signal(pid, 'SIGSTOP');
        frozen.add(pid);
      }
      if (Date.now() > deadline) break;
    }
    if (frozen.size === 0) return;
    for (const pid of frozen) signal(pid, 'SIGKILL');
    await sleep(5);
    if (Date.now() > deadline) {
      const left = find();
      if (left.length === 0) return;
      throw new Fault('internal', `Processes ${left.join(', ')} of ${what} could not be ended.`);
    }
  }
};
