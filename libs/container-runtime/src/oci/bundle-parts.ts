/** What every container of ours has in its bundle, whoever runs in it: all namespaces, no capability, nothing of the kernel to write or to look up. */
import type { CgroupLeaf, GroupLimits } from './cgroup-leaf.ts';

/** A file or directory of the host that is visible, read-only and with set-uid bits dead, inside. */
export interface HostBind {
  readonly source: string;
  readonly destination: string;
}

export interface OciMount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

export interface IdMapping {
  readonly containerID: number;
  readonly hostID: number;
  readonly size: number;
}

/** Files of /proc that tell of the kernel or of others; a container finds them empty. */
const MASKED_PATHS: readonly string[] = [
  '/proc/acpi',
  '/proc/asound',
  '/proc/config.gz',
  '/proc/interrupts',
  '/proc/kallsyms',
  '/proc/kcore',
  '/proc/key-users',
  '/proc/keys',
  '/proc/kmsg',
  '/proc/kpagecount',
  '/proc/kpageflags',
  '/proc/latency_stats',
  '/proc/modules',
  '/proc/sched_debug',
  '/proc/scsi',
  '/proc/slabinfo',
  '/proc/softirqs',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/vmallocinfo',
];

const READ_ONLY_PATHS: readonly string[] = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

const NAMESPACES = ['pid', 'ipc', 'uts', 'mount', 'network', 'cgroup', 'user'];

export const tmpfs = (destination: string, ...options: readonly string[]): OciMount => ({
  destination,
  type: 'tmpfs',
  source: 'tmpfs',
  options: ['nosuid', ...options],
});

export const bindReadOnly = ({ source, destination }: HostBind): OciMount => ({
  destination,
  type: 'bind',
  source,
  options: ['bind', 'ro', 'nosuid', 'nodev'],
});

export const bindWritable = ({ source, destination }: HostBind): OciMount => ({
  ...bindReadOnly({ source, destination }),
  options: ['bind', 'rw', 'nosuid', 'nodev'],
});

/** /proc and a /dev that holds no more than the runtime puts there. No /sys, no devpts, no mqueue. */
export const KERNEL_MOUNTS: readonly OciMount[] = [
  { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
  tmpfs('/dev', 'noexec', 'mode=755', 'size=64k', 'nr_inodes=64'),
];

export const rlimit = (type: string, value: number): object => ({ type, hard: value, soft: value });

export interface ProcessFacts {
  /** Inside id of the program's user and group. */
  readonly id: number;
  readonly umask: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How much rather the host loses it than anything of its own: 0 to 1000. */
  readonly oomScoreAdj: number;
  readonly rlimits: readonly object[];
}

export const bundleProcess = ({ id, umask, args, cwd, env, oomScoreAdj, rlimits }: ProcessFacts): object => ({
  terminal: false,
  user: { uid: id, gid: id, umask },
  args,
  cwd,
  env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
  capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
  noNewPrivileges: true,
  oomScoreAdj,
  rlimits: [rlimit('RLIMIT_CORE', 0), rlimit('RLIMIT_MSGQUEUE', 0), rlimit('RLIMIT_MEMLOCK', 64 * 1024), ...rlimits],
});

/** The namespaces, the ids and what is kept out of sight. @param seccomp parsed profile in OCI form. */
export const bundleIsolation = (ids: readonly IdMapping[], seccomp: object): object => ({
  namespaces: NAMESPACES.map((type) => ({ type })),
  uidMappings: ids,
  gidMappings: ids,
  maskedPaths: MASKED_PATHS,
  readonlyPaths: READ_ONLY_PATHS,
  seccomp,
});

/** The inner group, where the runtime makes it; nothing where we have put the container into its group ourselves. */
export const bundleGroup = ({ cgroupsPath }: Pick<CgroupLeaf, 'cgroupsPath'>, limits: GroupLimits): object =>
  cgroupsPath === undefined
    ? {}
    : {
        cgroupsPath,
        resources: {
          memory: { limit: limits.memoryBytes, swap: limits.memoryBytes },
          ...(limits.cpu === undefined ? {} : { cpu: { period: 100_000, quota: Math.round(limits.cpu * 100_000) } }),
          pids: { limit: limits.pids },
          // One process out of memory ends the whole container, not a random part of it.
          unified: { 'memory.oom.group': '1' },
        },
      };
