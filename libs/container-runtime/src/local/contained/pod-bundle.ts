/** The OCI bundle of one pod as a value: every namespace of its own, no capability, a read-only root, and no way out but the sockets it is given. */
import { INSIDE_HOME, INSIDE_ID, INSIDE_WAYS, type PodRoot } from './pod-root.ts';

export interface PodBundleFacts {
  readonly root: PodRoot;
  /** A directory of the host that is writable inside. */
  readonly volume?: { readonly source: string; readonly destination: string };
  /** Directory of the host with the pod's sockets. */
  readonly ways: string;
  /** Host user that the program is. */
  readonly uid: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Parsed seccomp profile in OCI form. */
  readonly seccomp: object;
}

/**
 * The namespace's own root, which nothing ever runs as once the program has begun, is a host user that nobody has:
 * above the users of pods and below the ranges of the sandbox.
 */
const INSIDE_ROOT_OFFSET = 100_000_000;

/** Counted to the pod's memory. */
const HOME_BYTES = 64 * 1024 * 1024;
const OPEN_FILES = 1024;

const MASKED = [
  'acpi',
  'asound',
  'bus',
  'config.gz',
  'fs',
  'interrupts',
  'irq',
  'kallsyms',
  'kcore',
  'key-users',
  'keys',
  'kmsg',
].concat([
  'kpagecount',
  'kpageflags',
  'latency_stats',
  'modules',
  'sched_debug',
  'scsi',
  'slabinfo',
  'softirqs',
  'timer_list',
  'vmallocinfo',
]);

const tmpfs = (destination: string, ...options: string[]) => ({
  destination,
  type: 'tmpfs',
  source: 'tmpfs',
  options: ['nosuid', 'nodev', ...options],
});

const bind = (source: string, destination: string) => ({
  destination,
  type: 'bind',
  source,
  options: ['bind', 'ro', 'nosuid', 'nodev'],
});

const rlimit = (type: string, value: number) => ({ type, hard: value, soft: value });

export const podBundle = ({ root, volume, ways, uid, args, env, seccomp }: PodBundleFacts): object => {
  const ids = [
    { containerID: 0, hostID: uid + INSIDE_ROOT_OFFSET, size: 1 },
    { containerID: INSIDE_ID, hostID: uid, size: 1 },
  ];
  return {
    ociVersion: '1.0.2',
    hostname: 'pod',
    root: { path: root.directory, readonly: true },
    process: {
      terminal: false,
      user: { uid: INSIDE_ID, gid: INSIDE_ID, umask: 0o077 },
      args,
      cwd: INSIDE_HOME,
      env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      noNewPrivileges: true,
      oomScoreAdj: 500,
      rlimits: [rlimit('RLIMIT_CORE', 0), rlimit('RLIMIT_NOFILE', OPEN_FILES), rlimit('RLIMIT_MSGQUEUE', 0)],
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
      {
        destination: '/dev',
        type: 'tmpfs',
        source: 'tmpfs',
        options: ['nosuid', 'noexec', 'mode=755', 'size=64k', 'nr_inodes=64'],
      },
      tmpfs('/dev/shm', 'noexec', 'mode=1777', 'size=1m', 'nr_inodes=64'),
      tmpfs('/tmp', 'noexec', 'mode=1777', `size=${HOME_BYTES / 4}`, 'nr_inodes=1024'),
      tmpfs(
        INSIDE_HOME,
        'noexec',
        'mode=0700',
        `uid=${INSIDE_ID}`,
        `gid=${INSIDE_ID}`,
        `size=${HOME_BYTES}`,
        'nr_inodes=4096',
      ),
      bind(ways, INSIDE_WAYS),
      ...(volume ? [{ ...bind(volume.source, volume.destination), options: ['bind', 'rw', 'nosuid', 'nodev'] }] : []),
      ...root.binds.map(({ source, destination }) => bind(source, destination)),
    ],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount', 'network', 'cgroup', 'user'].map((type) => ({ type })),
      uidMappings: ids,
      gidMappings: ids,
      // Its services may be at any port; in this namespace there is nothing else to be listened for.
      sysctl: { 'net.ipv4.ip_unprivileged_port_start': '0' },
      maskedPaths: MASKED.map((name) => `/proc/${name}`),
      readonlyPaths: ['/proc/sys', '/proc/sysrq-trigger'],
      seccomp,
    },
  };
};
