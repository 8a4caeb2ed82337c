/** `bench`: every benchmark of benchmarks/, each beside a reference in the same run; a missed goal is printed, only an error fails. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runBuild } from '../../build/run-build.ts';
import { runProgram } from '../../checks/run-program.ts';
import { checkout, nodeProgram } from '../../stack/checkout.ts';
import type { Command } from '../command.ts';

export const command: Command = {
  summary: 'Run the benchmarks (--smoke: only prove that they work; --json: the numbers as JSON on standard output).',
  usage: 'bench [--smoke] [--json] [--only NAME]',
  run: async ({ args }) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        smoke: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
      },
    });
    await runBuild(checkout, { say: (step) => process.stderr.write(`build ${step}\n`) });
    const options = [
      '--conditions=source',
      path.join(checkout, 'benchmarks', 'main.ts'),
      ...(values.smoke ? ['--smoke'] : []),
      ...(values.json ? ['--json'] : []),
      ...(values.only === undefined ? [] : ['--only', values.only]),
    ];
    return (await runProgram(nodeProgram(), options, { show: true })).code;
  },
};
