/** Mutation testing of the decision: `./bravo test --mutation`. One process, because the machine is shared; report in .bravo-reports/. */
export default {
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { configFile: 'jest.mutation.mjs', enableFindRelatedTests: true },
  coverageAnalysis: 'perTest',
  mutate: ['libs/policy/src/decide*.ts', '!**/*.spec.ts', '!**/*.fixture.ts'],
  ignorePatterns: ['apps', 'tests', 'benchmarks', 'docs', 'deploy', '.bravo', '.nx', 'dist'],
  concurrency: 1,
  // Every run of ES modules leaves its modules in memory: a process that went on forever took all of it.
  maxTestRunnerReuse: 60,
  tempDirName: '.nx/stryker',
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: '.bravo-reports/mutation.json' },
  clearTextReporter: { allowColor: false },
};
