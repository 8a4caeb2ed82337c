/** The OCI bundle of one run as a value: it always isolates in full, and nothing of the host's environment or files enters it but what is named. */
import type { Limits } from '../sandbox-backend.port.ts';

/** Who the program is inside, and where its range of ids begins outside. */
export const INSIDE_ID = 1000;
export const ID_RANGE = 65_536;

export const QUOTAS = {
  workspaceBytes: 64 * 1024 * 1024,
  workspaceInodes: 4096,
  tmpBytes: 16 * 1024 * 1024,
  sharedMemoryBytes: 8 * 1024 * 1024,
  pids: 64,
  openFiles: 256,
} as const;

/** A file or directory of the host that is visible, read-only and with set-uid bits dead, inside. */
export interface HostBind {
  readonly source: string;
  readonly destination: string;
}

export interface BundleFacts {
  /** Absolute path of the prepared root directory. */
  readonly root: string;
  /** Absolute path of the mounted workspace of this run. */
  readonly workspace: string;
  readonly binds: readonly HostBind[];
  /** First host id of this run's user namespace. */
  readonly firstHostId: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Parsed seccomp profile in OCI form. */
  readonly seccomp: object;
  /** Set where the runtime itself makes the leaf (cgroup v2); absent where the runner has put it into one (v1). */
  readonly cgroupsPath?: string;
}

interface OciMount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

const MASKED = [
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

const READ_ONLY = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

const tmpfs = (destination: string, options: readonly string[]): OciMount => ({
  destination,
  type: 'tmpfs',
  source: 'tmpfs',
  options,
});

const mounts = (facts: BundleFacts): OciMount[] => [
  { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
  tmpfs('/dev', ['nosuid', 'noexec', 'mode=755', 'size=64k', 'nr_inodes=64']),
  tmpfs('/dev/shm', ['nosuid', 'nodev', 'mode=1777', `size=${QUOTAS.sharedMemoryBytes}`, 'nr_inodes=256']),
  tmpfs('/tmp', ['nosuid', 'nodev', 'mode=1777', `size=${QUOTAS.tmpBytes}`, 'nr_inodes=1024']),
  ...facts.binds.map(({ source, destination }) => ({
    destination,
    type: 'bind',
    source,
    options: ['bind', 'ro', 'nosuid', 'nodev'],
  })),
  {
    destination: '/workspace',
    type: 'bind',
    source: facts.workspace,
    options: ['bind', 'rw', 'nosuid', 'nodev'],
  },
];

const rlimit = (type: string, value: number) => ({ type, hard: value, soft: value });

/** `config.json` of the run. Same facts, same value. */
export const bundleConfig = (facts: BundleFacts): object => ({
  ociVersion: '1.0.2',
  hostname: 'sandbox',
  root: { path: facts.root, readonly: true },
  process: {
    terminal: false,
    user: { uid: INSIDE_ID, gid: INSIDE_ID, umask: 0o022 },
    args: facts.args,
    cwd: '/workspace',
    env: Object.entries(facts.env).map(([name, value]) => `${name}=${value}`),
    capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
    noNewPrivileges: true,
    // The host prefers to lose the program rather than anything of its own.
    oomScoreAdj: 1000,
    rlimits: [
      rlimit('RLIMIT_CORE', 0),
      rlimit('RLIMIT_FSIZE', QUOTAS.workspaceBytes),
      rlimit('RLIMIT_MEMLOCK', 64 * 1024),
      rlimit('RLIMIT_MSGQUEUE', 0),
      rlimit('RLIMIT_NOFILE', QUOTAS.openFiles),
    ],
  },
  mounts: mounts(facts),
  linux: {
    namespaces: ['pid', 'ipc', 'uts', 'mount', 'network', 'cgroup', 'user'].map((type) => ({ type })),
    uidMappings: [{ containerID: 0, hostID: facts.firstHostId, size: ID_RANGE }],
    gidMappings: [{ containerID: 0, hostID: facts.firstHostId, size: ID_RANGE }],
    maskedPaths: MASKED,
    readonlyPaths: READ_ONLY,
    seccomp: facts.seccomp,
    ...(facts.cgroupsPath === undefined
      ? {}
      : {
          cgroupsPath: facts.cgroupsPath,
          resources: {
            memory: { limit: facts.limits.memoryMb * 1024 * 1024, swap: facts.limits.memoryMb * 1024 * 1024 },
            cpu: { period: 100_000, quota: Math.round(facts.limits.cpu * 100_000) },
            pids: { limit: QUOTAS.pids },
            // One process out of memory ends the whole run, not a random part of it.
            unified: { 'memory.oom.group': '1' },
          },
        }),
  },
});
