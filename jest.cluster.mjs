/** The platform on a real cluster: one release, one file after another; `./bravo test --cluster` sets what they need. */
import base from './jest.config.mjs';

export default {
  ...base,
  roots: ['<rootDir>/tests/cluster', '<rootDir>/libs/container-runtime/src/kubernetes'],
  testMatch: ['**/*.cluster.ts', '**/kubernetes-container-runtime.spec.ts'],
  maxWorkers: 1,
  testTimeout: 600_000,
};
