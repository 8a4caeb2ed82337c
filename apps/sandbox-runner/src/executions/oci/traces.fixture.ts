/** What of a runner can be found on the machine: counted, so that a test can say that nothing was left. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instanceOf } from './instance.ts';
import { mountsUnder } from './mounts.ts';

export interface Traces {
  readonly mounts: number;
  readonly runs: number;
  readonly containers: number;
  readonly groups: number;
  readonly processes: number;
}

const entries = (directory: string): number => (existsSync(directory) ? readdirSync(directory).length : 0);

/** `pids` is not enumerable, so that a comparison is about numbers. */
export const tracesOf = async (stateDirectory: string): Promise<Traces & { readonly pids: readonly number[] }> => {
  const { runtimeDirectory, cgroupSubtree } = instanceOf(stateDirectory);
  const pids = readdirSync('/proc')
    .filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(cgroupSubtree);
      } catch {
        return false;
      }
    })
    .map(Number);
  const groups = ['', 'memory', 'cpu', 'pids', 'devices'].map((name) => join('/sys/fs/cgroup', name, cgroupSubtree));
  const traces = {
    mounts: (await mountsUnder(runtimeDirectory)).length,
    runs: entries(join(runtimeDirectory, 'runs')),
    containers: entries(join(runtimeDirectory, 'runtime')),
    groups: groups.flatMap((group) =>
      existsSync(group) ? readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : [],
    ).length,
    processes: pids.length,
  };
  return Object.defineProperty(traces, 'pids', { value: pids, enumerable: false }) as typeof traces & {
    readonly pids: readonly number[];
  };
};
