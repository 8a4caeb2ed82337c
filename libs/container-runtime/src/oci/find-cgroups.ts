/** Which cgroup version can limit a container here; when neither can, the reason and the remedy, never a container without limits. */
import { access, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { CgroupTree } from './cgroup-leaf.ts';
import { V1_CONTROLLERS, cgroupV1 } from './cgroup-v1.ts';
import { cgroupV2 } from './cgroup-v2.ts';

const CGROUP2_MAGIC = 0x63677270;

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

export interface FoundCgroups {
  readonly tree: CgroupTree;
  /** Mount point of an extra version 2 hierarchy beside version 1; crun refuses to start while it sees one. */
  readonly hybrid: string | undefined;
}

/** @param ownDevices see `cgroupV1`; runc insists on setting them itself, crun leaves them alone. */
export const findCgroups = async (
  subtree: string,
  mountPoint = '/sys/fs/cgroup',
  ownDevices = true,
): Promise<FoundCgroups> => {
  const isV2 = async (path: string) =>
    statfs(path).then(
      ({ type }) => type === CGROUP2_MAGIC,
      () => false,
    );
  if (await isV2(mountPoint)) return { tree: cgroupV2(mountPoint, subtree), hybrid: undefined };
  const missing: string[] = [];
  for (const controller of V1_CONTROLLERS) {
    if (!(await exists(join(mountPoint, controller, 'cgroup.procs')))) missing.push(controller);
  }
  if (missing.length > 0) {
    throw new Error(
      `the cgroup controllers ${missing.join(', ')} are not mounted under ${mountPoint}; mount cgroup v2 there, or the version 1 controllers`,
    );
  }
  const unified = join(mountPoint, 'unified');
  return { tree: cgroupV1(mountPoint, subtree, ownDevices), hybrid: (await isV2(unified)) ? unified : undefined };
};
