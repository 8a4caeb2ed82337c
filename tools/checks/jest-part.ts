/** Jest runs: the tests' own numbers, and a file that could not even be loaded counts as one failure. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { ensureImages } from '../images/build-images.ts';
import { installPackages, isRoot, missingPackages, systemProgram } from '../stack/machine.ts';
import type { Part } from './part.ts';
import { runProgram } from './run-program.ts';

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

const jest = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ passed: number; failed: number; skipped: number }> => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'bravo-jest-'));
  const report = path.join(scratch, 'report.json');
  try {
    const entry = path.join(checkout, 'node_modules', 'jest', 'bin', 'jest.js');
    const options = ['--experimental-vm-modules', '--no-warnings', entry, '--json', '--outputFile', report, ...args];
    const { code, output } = await runProgram(nodeProgram(), options, {
      env: { PATH: `${path.join(checkout, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`, ...requireSandbox(), ...env },
      show: true,
    });
    let numbers: JestReport;
    try {
      numbers = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
    } catch {
      throw new Error(output.trim() || 'jest left no report, see above');
    }
    const { numPassedTests: passed, numFailedTests, numPendingTests: skipped, numRuntimeErrorTestSuites } = numbers;
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // A run that failed without a failed test (a hook after the last one, a leak) must not end as a success.
    return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
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

/** Where programs can be contained, a sandbox that does not work is a failure and not a skipped test. */
const requireSandbox = (): Record<string, string> =>
  process.platform === 'linux' && isRoot() && systemProgram('crun') !== undefined ? { BRAVO_REQUIRE_SANDBOX: '1' } : {};

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
