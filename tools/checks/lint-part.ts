/** The linters: one check per file of ours, and the contracts' own rules. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';
import type { Part } from './part.ts';
import { runProgram } from './run-program.ts';

interface LintedFile {
  readonly filePath: string;
  readonly errorCount: number;
  readonly messages: readonly { severity: number; line?: number; ruleId: string | null; message: string }[];
}

const APPS_AT_ONCE = 3;
const PROCESSES = 2;

/** The type-aware rules load every project they meet, and one process for the whole tree outgrows Node's heap. */
export const lintedTogether = (): string[][] => {
  const apps = readdirSync(path.join(checkout, 'apps')).map((name) => `apps/${name}`);
  const groups = [['libs'], ['tools', 'tests', 'benchmarks']];
  for (let first = 0; first < apps.length; first += APPS_AT_ONCE) groups.push(apps.slice(first, first + APPS_AT_ONCE));
  return groups;
};

const lint = async (folders: readonly string[], report: string): Promise<LintedFile[]> => {
  const { output } = await runProgram('eslint', [...folders, '--format', 'json', '--output-file', report]);
  try {
    return JSON.parse(readFileSync(report, 'utf8')) as LintedFile[];
  } catch {
    throw new Error(output.trim() || `eslint left no report for ${folders.join(', ')}`);
  }
};

const eslint = async (): Promise<{ passed: number; failed: number }> => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'bravo-lint-'));
  try {
    const queue = lintedTogether().map((folders, at) => ({ folders, report: path.join(scratch, `${at}.json`) }));
    const files: LintedFile[] = [];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) files.push(...(await lint(next.folders, next.report)));
    };
    await Promise.all(Array.from({ length: PROCESSES }, work));
    for (const { filePath, messages } of files) {
      for (const { severity, line, ruleId, message } of messages) {
        const level = severity === 2 ? 'error' : 'warning';
        process.stdout.write(`${path.relative(checkout, filePath)}:${line ?? 0} ${level} ${message} (${ruleId ?? ''})\n`);
      }
    }
    const failed = files.filter(({ errorCount }) => errorCount > 0).length;
    return { passed: files.length - failed, failed };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** `buf lint`, and `buf breaking` against the contracts as last released (libs/proto/released.binpb, made by `npm run release`). */
const contracts = async (): Promise<{ passed: number; failed: number }> => {
  const cwd = path.join(checkout, 'libs', 'proto');
  const checks = [
    await runProgram('buf', ['lint'], { cwd }),
    await runProgram('buf', ['breaking', '--against', 'released.binpb'], { cwd }),
  ];
  for (const { code, output } of checks) if (code !== 0) process.stdout.write(output);
  const failed = checks.filter(({ code }) => code !== 0).length;
  return { passed: checks.length - failed, failed };
};

export const lintPart: Part = {
  name: 'lint',
  run: async () => {
    const [code, protos] = [await eslint(), await contracts()];
    return { passed: code.passed + protos.passed, failed: code.failed + protos.failed, skipped: 0 };
  },
};
