/** The OCI bundle of one run as a value: it always isolates in full, and nothing of the host's environment or files enters it but what is named. */
import {
  bindReadOnly,
  bindWritable,
  bundleGroup,
  bundleIsolation,
  bundleProcess,
  type GroupLimits,
  type HostBind,
  KERNEL_MOUNTS,
  rlimit,
  tmpfs,
} from '@bravo/container-runtime/oci';
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
  /** The program sees the files and cannot change them. */
  readonly workspaceReadOnly?: boolean;
  /** Of a job: a directory of the host that is writable at `destination` too, and the host user the program is instead of its range's. */
  readonly job?: { readonly place: string; readonly destination: string; readonly uid?: number };
  /** Set where the runtime itself makes the leaf (cgroup v2); absent where the runner has put it into one (v1). */
  readonly cgroupsPath?: string | undefined;
}

/** What the kernel holds a program to. */
export const groupLimits = (limits: Limits): GroupLimits => ({
  memoryBytes: limits.memoryMb * 1024 * 1024,
  pids: QUOTAS.pids,
  cpu: limits.cpu,
});

/** One range, or the range's own root and the user whose files the program works on. */
const idMappings = ({ firstHostId, job }: BundleFacts) =>
  job?.uid === undefined
    ? [{ containerID: 0, hostID: firstHostId, size: ID_RANGE }]
    : [
        { containerID: 0, hostID: firstHostId, size: 1 },
        { containerID: INSIDE_ID, hostID: job.uid, size: 1 },
      ];

/** `config.json` of the run. Same facts, same value. */
export const bundleConfig = (facts: BundleFacts): object => ({
  ociVersion: '1.0.2',
  hostname: 'sandbox',
  root: { path: facts.root, readonly: true },
  process: bundleProcess({
    id: INSIDE_ID,
    umask: 0o022,
    args: facts.args,
    cwd: '/workspace',
    env: facts.env,
    oomScoreAdj: 1000,
    rlimits: [rlimit('RLIMIT_FSIZE', QUOTAS.workspaceBytes), rlimit('RLIMIT_NOFILE', QUOTAS.openFiles)],
  }),
  mounts: [
    ...KERNEL_MOUNTS,
    tmpfs('/dev/shm', 'nodev', 'mode=1777', `size=${QUOTAS.sharedMemoryBytes}`, 'nr_inodes=256'),
    tmpfs('/tmp', 'nodev', 'mode=1777', `size=${QUOTAS.tmpBytes}`, 'nr_inodes=1024'),
    ...facts.binds.map(bindReadOnly),
    (facts.workspaceReadOnly === true ? bindReadOnly : bindWritable)({
      source: facts.workspace,
      destination: '/workspace',
    }),
    ...(facts.job === undefined ? [] : [bindWritable({ source: facts.job.place, destination: facts.job.destination })]),
  ],
  linux: {
    ...bundleIsolation(idMappings(facts), facts.seccomp),
    ...bundleGroup({ cgroupsPath: facts.cgroupsPath }, groupLimits(facts.limits)),
  },
});
