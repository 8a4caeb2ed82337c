export { openLocalContainerRuntime, type LocalRuntimeOptions } from './local-container-runtime.ts';
