/** A cgroup of its own for one run: limits are in force before the program is, and "kill" leaves no process of it alive. */
import type { Limits } from '../sandbox-backend.port.ts';

export interface CgroupLeaf {
  /**
   * Shell words that put the calling shell into the leaf before it becomes the OCI runtime; '' where the runtime does it.
   * They end the shell with status 125 when they fail, so that nothing runs outside the leaf.
   */
  readonly joinScript: string;
  /** Options of the OCI runtime. */
  readonly managerOption: string;
  /** `linux.cgroupsPath` of the bundle, where the runtime makes the inner group. */
  readonly cgroupsPath: string | undefined;
  /** Sets other limits; those for memory may only fall while something runs inside. */
  limit(limits: Limits): Promise<void>;
  /** Bytes the kernel counts here now. */
  memoryInUse(): Promise<number>;
  /** Ends everything inside, again until nothing is left, except the given process. */
  kill(spare?: number): Promise<void>;
  /** How many processes the kernel ended here for want of memory. */
  oomKills(): Promise<number>;
  remove(): Promise<void>;
}

export interface CgroupTree {
  readonly kind: 'v1' | 'v2';
  /** Throws when the limits cannot all be set: a run without limits does not exist. */
  createLeaf(name: string, limits: Limits): Promise<CgroupLeaf>;
  /** Ends and removes what an earlier process of this instance left. */
  sweep(): Promise<void>;
  /** Removes the subtree itself; leaves must be gone. */
  remove(): Promise<void>;
}
