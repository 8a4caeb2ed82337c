/** Journeys: real processes, one after another, each file with a platform of its own. */
import base from './jest.config.mjs';

export default {
  ...base,
  roots: ['<rootDir>/tests/journeys', '<rootDir>/tests/hostile'],
  testMatch: ['**/*.journey.ts'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
