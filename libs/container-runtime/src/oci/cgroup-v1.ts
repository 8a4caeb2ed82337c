/** Version 1 leaves: one directory per controller, joined by the starting shell, because there the out-of-memory count is not hierarchical. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  counter,
  isMissing,
  killPids,
  pidsIn,
  readNumber,
  removeGroup,
  removeGroupTree,
  setValue,
  subgroups,
} from './cgroup-files.ts';
import type { CgroupLeaf, CgroupTree, GroupLimits } from './cgroup-leaf.ts';

/** `pids` is the one that processes are counted and killed by. */
export const V1_CONTROLLERS = ['memory', 'cpu', 'pids', 'devices'] as const;

/** null, zero, full, random, urandom, tty, ptmx, pts: what a minimal /dev holds. */
const DEVICES = ['c 1:3', 'c 1:5', 'c 1:7', 'c 1:8', 'c 1:9', 'c 5:0', 'c 5:2', 'c 136:*'];

const setMemory = async (directory: string, bytes: number): Promise<void> => {
  const [plain, withSwap] = ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'];
  try {
    // Memory with swap may never be below memory alone, so a rising limit goes first there and a falling one here.
    const order = (await readNumber(directory, plain)) < bytes ? [withSwap, plain] : [plain, withSwap];
    for (const file of order) await setValue(directory, file, String(bytes));
  } catch (error) {
    // Absent where the kernel does not count swap; then the program may not use any.
    if (!isMissing(error)) throw error;
    await setValue(directory, plain, String(bytes));
    await setValue(directory, 'memory.swappiness', '0');
  }
};

const setShare = async (at: (controller: string) => string, limits: GroupLimits): Promise<void> => {
  await setMemory(at('memory'), limits.memoryBytes);
  if (limits.cpu !== undefined) await setValue(at('cpu'), 'cpu.cfs_quota_us', String(Math.round(limits.cpu * 100_000)));
};

const setLimits = async (at: (controller: string) => string, limits: GroupLimits, devices: boolean): Promise<void> => {
  await setValue(at('cpu'), 'cpu.cfs_period_us', '100000');
  await setShare(at, limits);
  await setValue(at('pids'), 'pids.max', String(limits.pids));
  if (!devices) return;
  await setValue(at('devices'), 'devices.deny', 'a');
  for (const device of DEVICES) await setValue(at('devices'), 'devices.allow', `${device} rwm`);
};

const killUntilEmpty = async (directory: string, spare?: number): Promise<void> => {
  const until = Date.now() + 5_000;
  for (;;) {
    const pids = (await pidsIn(directory)).filter((pid) => pid !== spare);
    if (pids.length === 0) return;
    if (Date.now() > until) throw new Error(`processes ${pids.join(', ')} of ${directory} do not die`);
    killPids(pids);
    await delay(2);
  }
};

/**
 * `subtree` is the name of this instance's group under every controller.
 * @param ownDevices whether the leaf says which devices there are; else the runtime does, in a group of its own below it.
 */
export const cgroupV1 = (mountPoint: string, subtree: string, ownDevices: boolean): CgroupTree => {
  const base = (controller: string) => join(mountPoint, controller, subtree);
  const directoriesOf = (name: string) => V1_CONTROLLERS.map((controller) => join(base(controller), name));
  const removeLeaf = async (name: string) => {
    for (const directory of directoriesOf(name)) await removeGroupTree(directory);
  };
  return {
    kind: 'v1',
    directoriesOf,
    async createLeaf(name, limits): Promise<CgroupLeaf> {
      const at = (controller: string) => join(base(controller), name);
      try {
        for (const controller of V1_CONTROLLERS) mkdirSync(at(controller), { recursive: true });
        await setLimits(at, limits, ownDevices);
      } catch (error) {
        await removeLeaf(name);
        throw error;
      }
      const files = directoriesOf(name).map((directory) => `'${join(directory, 'cgroup.procs')}'`);
      return {
        joinScript: `for f in ${files.join(' ')}; do echo 0 > "$f" || exit 125; done`,
        managerOption: '--cgroup-manager=disabled',
        cgroupsPath: undefined,
        limit: (other) => setShare(at, other),
        memoryInUse: () => readNumber(at('memory'), 'memory.usage_in_bytes'),
        kill: (spare) => killUntilEmpty(at('pids'), spare),
        oomKills: () => counter(at('memory'), 'memory.oom_control', 'oom_kill'),
        remove: () => removeLeaf(name),
      };
    },
    async sweep() {
      for (const name of await subgroups(base('pids'))) await killUntilEmpty(join(base('pids'), name));
      for (const controller of V1_CONTROLLERS) {
        for (const name of await subgroups(base(controller))) await removeGroupTree(join(base(controller), name));
      }
    },
    async remove() {
      for (const controller of V1_CONTROLLERS) await removeGroup(base(controller));
    },
  };
};
