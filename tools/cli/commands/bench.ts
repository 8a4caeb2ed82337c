/** `bench`: runs every program of benchmarks/ in turn; `--smoke` asks each for its short form that only proves it works. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runProgram } from '../../checks/run-program.ts';
import { checkout, nodeProgram } from '../../stack/checkout.ts';
import type { Command } from '../command.ts';
import { printLine } from '../output.ts';

export const command: Command = {
  summary: 'Run the benchmarks (--smoke: only prove that they work).',
  usage: 'bench [--smoke]',
  run: async ({ args }) => {
    const { values } = parseArgs({ args: [...args], options: { smoke: { type: 'boolean', default: false } } });
    const directory = path.join(checkout, 'benchmarks');
    const programs = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.bench.ts')).sort() : [];
    if (programs.length === 0) {
      printLine('There are no benchmarks in benchmarks/ yet; nothing was measured.');
      return 0;
    }
    let failed = 0;
    for (const program of programs) {
      printLine(`── ${program}`);
      const options = ['--conditions=source', path.join(directory, program), ...(values.smoke ? ['--smoke'] : [])];
      if ((await runProgram(nodeProgram(), options, { show: true })).code !== 0) failed += 1;
    }
    printLine(`${programs.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
};
