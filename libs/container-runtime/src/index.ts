export type * from './container-runtime.port.ts';
