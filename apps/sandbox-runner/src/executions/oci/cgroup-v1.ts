/** Version 1 leaves: one directory per controller, joined by the starting shell, because there the out-of-memory count is not hierarchical. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Limits } from '../sandbox-backend.port.ts';
import { QUOTAS } from './bundle-config.ts';
import type { CgroupLeaf, CgroupTree } from './cgroup-leaf.ts';
import { counter, isMissing, killPids, pidsIn, readNumber, removeGroup, setValue, subgroups } from './cgroup-files.ts';

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

const setShare = async (at: (controller: string) => string, limits: Limits): Promise<void> => {
  await setMemory(at('memory'), limits.memoryMb * 1024 * 1024);
  await setValue(at('cpu'), 'cpu.cfs_quota_us', String(Math.round(limits.cpu * 100_000)));
};

const setLimits = async (at: (controller: string) => string, limits: Limits, devices: boolean): Promise<void> => {
  await setValue(at('cpu'), 'cpu.cfs_period_us', '100000');
  await setShare(at, limits);
  await setValue(at('pids'), 'pids.max', String(QUOTAS.pids));
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

/** A runtime that was killed leaves a group of its own inside. */
const removeTree = async (directory: string): Promise<void> => {
  for (const name of await subgroups(directory)) await removeTree(join(directory, name));
  await removeGroup(directory);
};

/**
 * `subtree` is the name of this instance's group under every controller.
 * @param ownDevices whether the leaf says which devices there are; else the runtime does, in a group of its own below it.
 */
export const cgroupV1 = (mountPoint: string, subtree: string, ownDevices: boolean): CgroupTree => {
  const base = (controller: string) => join(mountPoint, controller, subtree);
  const removeLeaf = async (name: string) => {
    for (const controller of V1_CONTROLLERS) await removeTree(join(base(controller), name));
  };
  return {
    kind: 'v1',
    async createLeaf(name, limits): Promise<CgroupLeaf> {
      const at = (controller: string) => join(base(controller), name);
      try {
        for (const controller of V1_CONTROLLERS) mkdirSync(at(controller), { recursive: true });
        await setLimits(at, limits, ownDevices);
      } catch (error) {
        await removeLeaf(name);
        throw error;
      }
      const files = V1_CONTROLLERS.map((controller) => join(at(controller), 'cgroup.procs')).join(' ');
      return {
        joinScript: `for f in ${files}; do echo 0 > "$f" || exit 125; done`,
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
        for (const name of await subgroups(base(controller))) await removeTree(join(base(controller), name));
      }
    },
    async remove() {
      for (const controller of V1_CONTROLLERS) await removeGroup(base(controller));
    },
  };
};
