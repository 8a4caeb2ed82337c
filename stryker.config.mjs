/** Mutation testing of the decision: `./bravo test --mutation` (tools/checks/mutation.ts). One process, because the machine is shared; report in .bravo-reports/. */
export default {
  testRunner: 'in-process',
  testRunnerNodeArgs: ['--conditions=source', '--no-warnings'],
  plugins: ['./tools/checks/mutation-runner.ts'],
  coverageAnalysis: 'perTest',
  mutate: ['libs/policy/src/decide*.ts', '!**/*.spec.ts', '!**/*.fixture.ts'],
  ignorePatterns: ['apps', 'tests', 'benchmarks', 'docs', 'deploy', '.bravo', '.nx', 'dist'],
  concurrency: 1,
  tempDirName: '.nx/stryker',
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: '.bravo-reports/mutation.json' },
  clearTextReporter: { allowColor: false, reportTests: false },
};
