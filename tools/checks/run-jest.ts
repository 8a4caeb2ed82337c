/** Runs jest in a checkout and reads its report. A file that cannot be loaded is told apart from a test that fails. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { isRoot, systemProgram } from '../stack/machine.ts';
import { runProgram } from './run-program.ts';

/** The part of jest's own report that is read. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    /** Path of the test file. */
    readonly name: string;
    /** Of a file that could not be loaded, why. */
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Where programs can be contained, a sandbox that does not work is a failure and not a skipped test. */
const requireSandbox = (): Record<string, string> =>
  process.platform === 'linux' && isRoot() && systemProgram('crun') !== undefined ? { BRAVO_REQUIRE_SANDBOX: '1' } : {};

/** @throws Error with what jest said when it left no report. */
export const runJest = async (
  args: readonly string[],
  {
    root = checkout,
    show = false,
    env = {} as Readonly<Record<string, string>>,
    limitMs = undefined as number | undefined,
  } = {},
): Promise<{ code: number; report: JestReport }> => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'bravo-jest-'));
  const file = path.join(scratch, 'report.json');
  try {
    const entry = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    const options = ['--experimental-vm-modules', '--no-warnings', entry, '--json', '--outputFile', file, ...args];
    const { code, output } = await runProgram(nodeProgram(), options, {
      cwd: root,
      env: {
        PATH: `${path.join(root, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
        ...requireSandbox(),
        ...env,
      },
      show,
      ...(limitMs === undefined ? {} : { limitMs }),
    });
    try {
      return { code, report: JSON.parse(readFileSync(file, 'utf8')) as JestReport };
    } catch {
      throw new Error(output.trim() || 'jest left no report, see above');
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
