/** A cgroup per pod with its memory and its number of processes: in force before the program is, counted by the kernel, removed with the pod. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rmdir, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const MOUNT_POINT = '/sys/fs/cgroup';
const CGROUP2_MAGIC = 0x63677270;
const MOST_PROCESSES = 256;
const V1 = ['memory', 'pids'] as const;

export interface PodCgroup {
  /** Outermost first; what `removeGroups` takes away again. */
  readonly directories: readonly string[];
  /** Shell words that put the calling shell into the group; they end it with 125 when they cannot. */
  readonly joinScript: string;
  /** Whether the kernel ended something here for want of memory. */
  ranOutOfMemory(): Promise<boolean>;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isVersion2 = async (): Promise<boolean> => (await statfs(MOUNT_POINT)).type === CGROUP2_MAGIC;

/** @throws Error with the remedy where pods could not be limited. */
export const assertCgroups = async (): Promise<void> => {
  if (await isVersion2().catch(() => false)) return;
  const missing = V1.filter((controller) => !existsSync(join(MOUNT_POINT, controller, 'cgroup.procs')));
  if (missing.length === 0) return;
  throw new Error(
    `the cgroup controllers ${missing.join(', ')} are not mounted under ${MOUNT_POINT}; mount cgroup v2 there`,
  );
};

/** Where the group of a pod is, whether it exists or not. */
export const groupDirectories = async (subtree: string, name: string): Promise<string[]> =>
  (await isVersion2().catch(() => false))
    ? [join(MOUNT_POINT, subtree, name)]
    : V1.map((controller) => join(MOUNT_POINT, controller, subtree, name));

export const createPodCgroup = async (subtree: string, name: string, memoryBytes: number): Promise<PodCgroup> => {
  const directories = await groupDirectories(subtree, name);
  const set = (directory: string, file: string, value: string) =>
    writeFile(join(directory, file), value, { flag: 'r+' });
  const version2 = directories.length === 1;
  const [memory = '', pids = memory] = directories;
  if (version2) {
    await set(MOUNT_POINT, 'cgroup.subtree_control', '+memory +pids');
    await mkdir(join(MOUNT_POINT, subtree), { recursive: true });
    await set(join(MOUNT_POINT, subtree), 'cgroup.subtree_control', '+memory +pids');
  }
  for (const directory of directories) await mkdir(directory, { recursive: true });
  const limit = version2 ? 'memory.max' : 'memory.limit_in_bytes';
  const swap = version2 ? 'memory.swap.max' : 'memory.memsw.limit_in_bytes';
  await set(memory, limit, String(memoryBytes));
  // Absent where the kernel does not count swap.
  if (existsSync(join(memory, swap))) await set(memory, swap, version2 ? '0' : String(memoryBytes));
  if (version2) await set(memory, 'memory.oom.group', '1');
  await set(pids, 'pids.max', String(MOST_PROCESSES));
  const counter = join(memory, version2 ? 'memory.events' : 'memory.oom_control');
  return {
    directories,
    joinScript: `for d in ${directories.map((each) => `'${each}'`).join(' ')}; do echo 0 > "$d/cgroup.procs" || exit 125; done;`,
    ranOutOfMemory: async () => {
      const text = await readFile(counter, 'utf8').catch(() => '');
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) > 0;
    },
  };
};

/** A group stays busy for a moment after its last process died. */
export const removeGroups = async (directories: readonly string[]): Promise<void> => {
  for (const directory of directories) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await rmdir(directory);
      } catch (error) {
        if (codeOf(error) === 'EBUSY' && attempt < 100) {
          await delay(Math.min(attempt, 20));
          continue;
        }
        if (codeOf(error) !== 'ENOENT') throw error;
      }
      break;
    }
  }
};

/** Takes the empty groups above away; where there are pods of another process it does nothing. */
export const removeParents = async (directories: readonly string[]): Promise<void> => {
  for (const directory of new Set(directories.map((each) => dirname(each))))
    await rmdir(directory).catch(() => undefined);
};
