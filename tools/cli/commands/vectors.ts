/** `vectors`: replays a folder of cases through the policy library, or at the edge of the platform that runs, and says which of them fail. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { EdgeReport } from '../../vectors/edge/replay-edge.ts';
import type { FolderResult } from '../../vectors/replay-folder.ts';
import type { Suite } from '../../vectors/suite.ts';
import { CommandError, type Command } from '../command.ts';
import { requireRunning } from '../operator.ts';
import { printJson, printLine } from '../output.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const command: Command = {
  summary:
    'Replay policy cases (.yaml) of a folder; says per suite how many hold and which do not (--edge: on the running platform).',
  usage: 'vectors DIR [--edge] [--json]',
  run: async ({ args, environment }) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { edge: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    });
    const [given, ...more] = positionals;
    if (given === undefined || more.length > 0)
      throw new CommandError('Name one folder of cases: ./bravo vectors test-vectors', 2);
    const folder = path.resolve(given);
    if (!existsSync(folder)) throw new CommandError(`There is nothing at ${given}.`, 2);
    // Loaded here: the help of the other commands needs no policy library.
    const [{ replayFolder }, { SUITES }] = await Promise.all([
      import('../../vectors/replay-folder.ts'),
      import('../../vectors/suites.ts'),
    ]);
    if (values.edge) return runAtEdge(folder, SUITES, environment, values.json);
    const result = replayFolder(folder, SUITES);
    if (values.json) printJson(result);
    else printResult(result);
    return result.errors.length === 0 && result.suites.every(({ failed }) => failed.length === 0) ? 0 : 1;
  },
};

async function runAtEdge(
  folder: string,
  suites: readonly Suite[],
  environment: Environment,
  asJson: boolean,
): Promise<number> {
  const stack = requireRunning(environment);
  const { runEdge } = await import('../../vectors/edge/run-edge.ts');
  const report = await runEdge(stack, environment['BRAVO_ENV'] === 'production', folder, suites);
  if (asJson) printJson(report);
  else printReport(report);
  return report.errors.length === 0 && report.results.every(({ failed }) => failed.length === 0) ? 0 : 1;
}

function printReport({ results, errors, seconds }: EdgeReport): void {
  for (const { suite, layer, passed, total, failed, notMet } of results) {
    const others = Object.values(notMet).reduce((sum, count) => sum + count, 0);
    printLine(
      `${suite.padEnd(18)} ${layer.padEnd(9)} ${`${passed}/${total}`.padEnd(8)} ${others > 0 ? `${others} not met here` : ''}`.trimEnd(),
    );
    for (const { id, thrown } of failed) printLine(`  failed: ${id}${thrown === undefined ? '' : ` (${thrown})`}`);
    for (const [why, count] of Object.entries(notMet)) printLine(`  ${String(count).padStart(4)}  ${why}`);
  }
  const sum = (count: 'passed' | 'total'): number => results.reduce((so, result) => so + result[count], 0);
  printLine(`all ${sum('passed')}/${sum('total')} in ${seconds.toFixed(1)} s`);
  printErrors(errors);
}

function printResult({ suites, errors }: FolderResult): void {
  const width = Math.max(0, ...suites.map(({ suite }) => suite.length));
  for (const { suite, passed, total, failed } of suites) {
    printLine(`${suite.padEnd(width)}  ${passed}/${total}`);
    for (const { id } of failed) printLine(`  failed: ${id}`);
  }
  const sum = (count: 'passed' | 'total'): number => suites.reduce((so, suite) => so + suite[count], 0);
  printLine(`${'all'.padEnd(width)}  ${sum('passed')}/${sum('total')}`);
  printErrors(errors);
}

function printErrors(errors: FolderResult['errors']): void {
  for (const { file, case: id, field, text } of errors) {
    const where = [
      file,
      ...(id === undefined ? [] : [`case ${id}`]),
      ...(field === undefined ? [] : [`field ${field}`]),
    ];
    printLine(`error: ${where.join(', ')}: ${text}`);
  }
}
