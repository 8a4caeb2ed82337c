/** One configuration for every package: specs beside the code, TypeScript through swc, ESM as it runs in production. */
import { chooseSeed } from './jest.seed.mjs';

chooseSeed();

export default {
  rootDir: '.',
  globalSetup: '<rootDir>/jest.seed.mjs',
  moduleNameMapper: { '^fast-check$': '<rootDir>/jest.fast-check.mjs' },
  resolver: '<rootDir>/jest.resolver.cjs',
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'default'] },
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/tests/chaos'],
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/', '/.bravo/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          parser: { syntax: 'typescript', decorators: true, tsx: false },
          target: 'es2024',
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: 20_000,
};
