/** Version 2 leaves: our group holds the limits and the counters that outlive the run, the runtime makes the inner group. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { counter, isMissing, readNumber, removeGroupTree, setValue, subgroups } from './cgroup-files.ts';
import type { CgroupLeaf, CgroupTree, GroupLimits } from './cgroup-leaf.ts';

const INNER = 'c';

const setLimits = async (directory: string, limits: GroupLimits): Promise<void> => {
  await setValue(directory, 'memory.max', String(limits.memoryBytes));
  try {
    await setValue(directory, 'memory.swap.max', '0');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await setValue(directory, 'memory.oom.group', '1');
  await setValue(directory, 'pids.max', String(limits.pids));
  if (limits.cpu !== undefined) await setValue(directory, 'cpu.max', `${Math.round(limits.cpu * 100_000)} 100000`);
};

const killGroup = async (directory: string): Promise<void> => {
  const until = Date.now() + 5_000;
  try {
    while ((await counter(directory, 'cgroup.events', 'populated')) !== 0) {
      if (Date.now() > until) throw new Error(`the processes of ${directory} do not die`);
      await setValue(directory, 'cgroup.kill', '1');
      await delay(2);
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};

export const cgroupV2 = (mountPoint: string, subtree: string): CgroupTree => {
  const base = join(mountPoint, subtree);
  return {
    kind: 'v2',
    directoriesOf: (name) => [join(base, name)],
    async createLeaf(name, limits): Promise<CgroupLeaf> {
      const directory = join(base, name);
      await setValue(mountPoint, 'cgroup.subtree_control', '+memory +cpu +pids');
      await mkdir(base, { recursive: true });
      await setValue(base, 'cgroup.subtree_control', '+memory +cpu +pids');
      try {
        await mkdir(directory);
        await setValue(directory, 'cgroup.subtree_control', '+memory +cpu +pids');
        await setLimits(directory, limits);
      } catch (error) {
        await removeGroupTree(directory);
        throw error;
      }
      return {
        joinScript: '',
        managerOption: '--cgroup-manager=cgroupfs',
        cgroupsPath: `/${subtree}/${name}/${INNER}`,
        limit: (other) => setLimits(directory, other),
        memoryInUse: () => readNumber(directory, 'memory.current'),
        kill: () => killGroup(directory),
        oomKills: () => counter(directory, 'memory.events', 'oom_kill'),
        remove: () => removeGroupTree(directory),
      };
    },
    async sweep() {
      await killGroup(base);
      for (const name of await subgroups(base)) await removeGroupTree(join(base, name));
    },
    remove: () => removeGroupTree(base),
  };
};
