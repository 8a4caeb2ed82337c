/** A cgroup of its own for one container: limits are in force before its program is, and "kill" leaves no process of it alive. */

export interface GroupLimits {
  readonly memoryBytes: number;
  readonly pids: number;
  /** Processors, as a fraction or more than one; undefined where only the neighbours limit it. */
  readonly cpu: number | undefined;
}

export interface CgroupLeaf {
  /**
   * Shell words that put the calling shell into the leaf before it becomes the OCI runtime; '' where the runtime does it.
   * They end the shell with status 125 when they fail, so that nothing runs outside the leaf.
   */
  readonly joinScript: string;
  /** Option of crun that leaves the group to us, or lets it make the inner one. */
  readonly managerOption: string;
  /** `linux.cgroupsPath` of the bundle, where the runtime makes the inner group. */
  readonly cgroupsPath: string | undefined;
  /** Sets other limits of memory and processor; those for memory may only fall while something runs inside. */
  limit(limits: GroupLimits): Promise<void>;
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
  /** Where the leaf of that name is, whether it exists or not. */
  directoriesOf(name: string): readonly string[];
  /** Throws when the limits cannot all be set: a container without limits does not exist. */
  createLeaf(name: string, limits: GroupLimits): Promise<CgroupLeaf>;
  /** Ends and removes what an earlier process of this subtree left. */
  sweep(): Promise<void>;
  /** Removes the subtree itself; leaves must be gone. */
  remove(): Promise<void>;
}
