/** Chaos: processes of a whole platform are killed under load; each kill is one check, and the end of the run is one more. */
import path from 'node:path';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import type { Part } from './part.ts';
import { runProgram } from './run-program.ts';

/** @param seed absent: a new one, which the run prints. */
export const chaosPart = (kills: number, seed?: number): Part => ({
  name: 'chaos',
  run: async () => {
    const directory = path.join(checkout, 'tests', 'chaos');
    const options = [
      '--conditions=source',
      '--import',
      path.join(directory, 'published-packages.ts'),
      path.join(directory, 'main.ts'),
    ];
    const numbers = ['--kills', String(kills), ...(seed === undefined ? [] : ['--seed', String(seed)])];
    const { code } = await runProgram(nodeProgram(), [...options, ...numbers], { show: true });
    // The run has named what broke; here it is enough that it did.
    return code === 0 ? { passed: kills + 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  },
});
