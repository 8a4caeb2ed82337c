export * from './bundle-parts.ts';
export type { CgroupLeaf, CgroupTree, GroupLimits } from './cgroup-leaf.ts';
export { removeGroupTree } from './cgroup-files.ts';
export { findCgroups, type FoundCgroups } from './find-cgroups.ts';
export { findRuntime, mountsToHide, type OciRuntime, runWords, scriptBefore } from './oci-runtime.ts';
export { COMMAND_ENVIRONMENT, CommandFailed, runCommand } from './run-command.ts';
