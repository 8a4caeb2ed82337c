export { openKubernetesContainerRuntime, type KubernetesRuntimeOptions } from './kubernetes-container-runtime.ts';
export type { PodOptions } from './pod-options.ts';
