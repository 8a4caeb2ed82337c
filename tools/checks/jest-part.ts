/** Jest runs: the tests' own numbers, and a file that could not even be loaded counts as one failure. */
import { ensureImages } from '../images/build-images.ts';
import { installPackages, isRoot, missingPackages, systemProgram } from '../stack/machine.ts';
import type { Part } from './part.ts';
import { runJest } from './run-jest.ts';

const jest = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ passed: number; failed: number; skipped: number }> => {
  const { code, report } = await runJest(args, { show: true, env });
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  // A run that failed without a failed test (a hook after the last one, a leak) must not end as a success.
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests,
  };
};

/** Jest with --json prints the report on stdout, which nobody reads; the human report goes to stderr. */
export const unitPart: Part = {
  name: 'unit and contract tests',
  run: async () => {
    await installSandbox();
    const images = isRoot() ? await ensureImages((sentence) => void process.stdout.write(`${sentence}\n`)) : undefined;
    return jest(['--silent', '--maxWorkers=2'], images === undefined ? {} : { BRAVO_TEST_SANDBOX_IMAGES: images.directory });
  },
};

const installSandbox = async (): Promise<void> => {
  // The second runtime is there for the tests only: the same suite holds with both.
  const second = systemProgram('runc') === undefined ? ['runc'] : [];
  const missing = [...missingPackages().map(({ debian }) => debian), ...second];
  if (missing.length === 0 || !isRoot()) return;
  process.stdout.write(`installing ${missing.join(', ')} for the sandbox's own tests\n`);
  const failure = await installPackages(missing);
  if (failure !== undefined) process.stdout.write(`${failure}\n`);
};

/** A browser for the page, and curl for what a hostile pod would call with: without it those attempts would fail for the wrong reason. */
const installCallers = async (): Promise<void> => {
  const missing = ['chromium', 'curl'].filter((name) => systemProgram(name) === undefined);
  if (missing.length === 0 || !isRoot()) return;
  process.stdout.write(`installing ${missing.join(' and ')} for the journeys\n`);
  const failure = await installPackages(missing);
  if (failure !== undefined) process.stdout.write(`${failure}\n`);
};

export const journeysPart: Part = {
  name: 'journeys',
  run: async () => {
    await installCallers();
    return jest(['--config', 'jest.journeys.mjs', '--runInBand']);
  },
};
