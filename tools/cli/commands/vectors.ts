/** `vectors`: replays a folder of cases through the policy library and says which of them fail. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { FolderResult } from '../../vectors/replay-folder.ts';
import { CommandError, type Command } from '../command.ts';
import { printJson, printLine } from '../output.ts';

export const command: Command = {
  summary: 'Replay policy cases (.yaml) of a folder; says per suite how many hold and which do not.',
  usage: 'vectors DIR [--edge] [--json]',
  run: async ({ args }) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { edge: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    });
    const [given, ...more] = positionals;
    if (given === undefined || more.length > 0)
      throw new CommandError('Name one folder of cases: ./bravo vectors test-vectors', 2);
    if (values.edge) {
      throw new CommandError(
        'Cases cannot be replayed through the running services yet. Without --edge they are replayed through the library.',
        2,
      );
    }
    const folder = path.resolve(given);
    if (!existsSync(folder)) throw new CommandError(`There is nothing at ${given}.`, 2);
    // Loaded here: the help of the other commands needs no policy library.
    const [{ replayFolder }, { SUITES }] = await Promise.all([
      import('../../vectors/replay-folder.ts'),
      import('../../vectors/suites.ts'),
    ]);
    const result = replayFolder(folder, SUITES);
    if (values.json) printJson(result);
    else printResult(result);
    return result.errors.length === 0 && result.suites.every(({ failed }) => failed.length === 0) ? 0 : 1;
  },
};

function printResult({ suites, errors }: FolderResult): void {
  const width = Math.max(0, ...suites.map(({ suite }) => suite.length));
  for (const { suite, passed, total, failed } of suites) {
    printLine(`${suite.padEnd(width)}  ${passed}/${total}`);
    for (const { id } of failed) printLine(`  failed: ${id}`);
  }
  const sum = (count: 'passed' | 'total'): number => suites.reduce((so, suite) => so + suite[count], 0);
  printLine(`${'all'.padEnd(width)}  ${sum('passed')}/${sum('total')}`);
  for (const { file, case: id, field, text } of errors) {
    const where = [
      file,
      ...(id === undefined ? [] : [`case ${id}`]),
      ...(field === undefined ? [] : [`field ${field}`]),
    ];
    printLine(`error: ${where.join(', ')}: ${text}`);
  }
}
