export { openLocalContainerRuntime, type LocalRuntimeOptions } from './local-container-runtime.ts';
export { Containment, type ContainmentSettings, removeTraces } from './contained/containment.ts';
export { INSIDE_VOLUME } from './contained/pod-root.ts';
export { killProcesses } from './kill-processes.ts';
export type { Launched } from './launched.ts';
export { pidsOfUid } from './process-table.ts';
export { UidClaims } from './uid-claims.ts';
