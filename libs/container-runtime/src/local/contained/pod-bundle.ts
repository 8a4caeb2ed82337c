/** The OCI bundle of one pod as a value: every namespace of its own, no capability, a read-only root, and no way out but the sockets it is given. */
import {
  bindReadOnly,
  bindWritable,
  bundleGroup,
  bundleIsolation,
  bundleProcess,
  type CgroupLeaf,
  type GroupLimits,
  type HostBind,
  KERNEL_MOUNTS,
  rlimit,
  tmpfs,
} from '../../oci/index.ts';
import { INSIDE_HOME, INSIDE_ID, INSIDE_WAYS, type PodRoot } from './pod-root.ts';

export interface PodBundleFacts {
  readonly root: PodRoot;
  /** A directory of the host that is writable inside. */
  readonly volume: HostBind | undefined;
  /** Directory of the host with the pod's sockets. */
  readonly ways: string;
  /** Host user that the program is. */
  readonly uid: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Parsed seccomp profile in OCI form. */
  readonly seccomp: object;
  readonly group: Pick<CgroupLeaf, 'cgroupsPath'>;
  readonly limits: GroupLimits;
}

/**
 * The namespace's own root, which nothing ever runs as once the program has begun, is a host user that nobody has:
 * above the users of pods and below the ranges of the sandbox.
 */
const INSIDE_ROOT_OFFSET = 100_000_000;

/** Counted to the pod's memory. */
const HOME_BYTES = 64 * 1024 * 1024;
const OPEN_FILES = 1024;

export const podBundle = (facts: PodBundleFacts): object => {
  const { root, volume, ways, uid, args, env, seccomp, group, limits } = facts;
  const ids = [
    { containerID: 0, hostID: uid + INSIDE_ROOT_OFFSET, size: 1 },
    { containerID: INSIDE_ID, hostID: uid, size: 1 },
  ];
  return {
    ociVersion: '1.0.2',
    hostname: 'pod',
    root: { path: root.directory, readonly: true },
    process: bundleProcess({
      id: INSIDE_ID,
      umask: 0o077,
      args,
      cwd: INSIDE_HOME,
      env,
      oomScoreAdj: 500,
      rlimits: [rlimit('RLIMIT_FSIZE', HOME_BYTES), rlimit('RLIMIT_NOFILE', OPEN_FILES)],
    }),
    mounts: [
      ...KERNEL_MOUNTS,
      tmpfs('/dev/shm', 'nodev', 'noexec', 'mode=1777', 'size=1m', 'nr_inodes=64'),
      tmpfs('/tmp', 'nodev', 'noexec', 'mode=1777', `size=${HOME_BYTES / 4}`, 'nr_inodes=1024'),
      tmpfs(
        INSIDE_HOME,
        'nodev',
        'noexec',
        'mode=0700',
        `uid=${INSIDE_ID}`,
        `gid=${INSIDE_ID}`,
        `size=${HOME_BYTES}`,
        'nr_inodes=4096',
      ),
      bindReadOnly({ source: ways, destination: INSIDE_WAYS }),
      ...(volume === undefined ? [] : [bindWritable(volume)]),
      ...root.binds.map(bindReadOnly),
    ],
    linux: {
      ...bundleIsolation(ids, seccomp),
      ...bundleGroup(group, limits),
      // Its services may be at any port; in this namespace there is nothing else to be listened for.
      sysctl: { 'net.ipv4.ip_unprivileged_port_start': '0' },
    },
  };
};
