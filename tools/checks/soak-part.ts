/** Soak: mixed programs in the sandbox while its runner and its runtime are killed at random; afterwards the machine is what it was. */
import path from 'node:path';
import { ensureImages } from '../images/build-images.ts';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { isRoot, systemProgram } from '../stack/machine.ts';
import type { Part } from './part.ts';
import { runProgram } from './run-program.ts';

export const soakPart = (programs: number, seed: number): Part => ({
  name: 'soak of the sandbox',
  run: async () => {
    if (process.platform !== 'linux' || !isRoot() || systemProgram('crun') === undefined) {
      process.stdout.write('not run: the sandbox needs Linux, root and crun\n');
      return { passed: 0, failed: 0, skipped: 1 };
    }
    const images = await ensureImages((sentence) => void process.stdout.write(`${sentence}\n`));
    const program = path.join(checkout, 'apps', 'sandbox-runner', 'src', 'soak', 'soak.fixture.ts');
    const { code } = await runProgram(nodeProgram(), ['--conditions=source', program, String(programs), String(seed)], {
      env: { BRAVO_TEST_SANDBOX_IMAGES: images?.directory ?? '' },
      show: true,
    });
    return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  },
});
