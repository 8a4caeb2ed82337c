/** What a platform leaves on the machine: processes, mounts, cgroups, bundles of programs. It only looks. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Where to look; other places than the kernel's own are for tests. */
export interface Machine {
  readonly proc: string;
  readonly cgroup: string;
}
export const THIS_MACHINE: Machine = { proc: '/proc', cgroup: '/sys/fs/cgroup' };

/** What belongs to one platform. */
export interface Belongings {
  /** Working directories and files of its processes. */
  readonly directories: readonly string[];
  /** Below it lie the bundles and mounts of running programs. */
  readonly bundles: string;
  /** Below it may be mounts as well. */
  readonly root: string;
  /** Name of the cgroups of its programs under every controller. */
  readonly cgroupName: string;
  /** The same of its pods. A group cannot go while a process is in it: without groups of pods there is no pod. */
  readonly podCgroupName: string;
}

export const pidsOf = ({ proc }: Machine = THIS_MACHINE): number[] =>
  readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

export const readOf = (pid: number, file: string, { proc }: Machine = THIS_MACHINE): string => {
  try {
    return readFileSync(path.join(proc, String(pid), file), 'utf8');
  } catch {
    return '';
  }
};

const isZombie = (pid: number, machine: Machine): boolean => /^State:\tZ/m.test(readOf(pid, 'status', machine));

const cgroupsNamed = (name: string, { cgroup }: Machine): string[] =>
  ['', 'memory', 'cpu', 'pids', 'devices']
    .map((controller) => path.join(cgroup, controller, name))
    .filter((directory) => existsSync(directory));

const mountsOf = ({ bundles, root }: Belongings, { proc }: Machine): string[] =>
  readFileSync(path.join(proc, 'self', 'mountinfo'), 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((mount) => mount.startsWith(bundles) || mount.startsWith(root));

const processesOf = ({ directories }: Belongings, machine: Machine): string[] =>
  pidsOf(machine)
    .filter((pid) => pid !== process.pid && !isZombie(pid, machine))
    .flatMap((pid) => {
      let cwd = '';
      try {
        cwd = readlinkSync(path.join(machine.proc, String(pid), 'cwd'));
      } catch {
        return [];
      }
      const words = readOf(pid, 'cmdline', machine).replaceAll('\0', ' ');
      return directories.some((directory) => cwd.startsWith(directory) || words.includes(directory))
        ? [`process ${pid} ${words.slice(0, 120)}`]
        : [];
    });

/** Everything an execution has while it runs: its bundle and the leaves of its cgroups. Empty when nothing runs. */
export const tracesOfExecutions = (own: Belongings, machine = THIS_MACHINE): string[] => {
  const runs = path.join(own.bundles, 'runs');
  const bundled = existsSync(runs) ? readdirSync(runs).map((run) => `bundle ${run}`) : [];
  const leaves = cgroupsNamed(own.cgroupName, machine).flatMap((group) =>
    readdirSync(group, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `cgroup ${path.join(group, entry.name)}`),
  );
  return [...bundled, ...leaves];
};

/** Of a platform that was stopped, nothing is left. */
export const leftoversOf = (own: Belongings, machine = THIS_MACHINE): string[] => [
  ...processesOf(own, machine),
  ...mountsOf(own, machine).map((mount) => `mount ${mount}`),
  ...[own.cgroupName, own.podCgroupName]
    .flatMap((name) => cgroupsNamed(name, machine))
    .map((group) => `cgroup ${group}`),
];
