/** The type checker over every package, specs included: one check per tsconfig. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';
import type { Part } from './part.ts';
import { runProgram } from './run-program.ts';

const atOnce = 2;

export const projects = (): string[] => {
  const packages = ['apps', 'libs'].flatMap((folder) => readdirSync(path.join(checkout, folder)).map((name) => `${folder}/${name}`));
  return [...packages, 'tools', 'tests', 'benchmarks']
    .flatMap((directory) => ['tsconfig.json', 'tsconfig.pure.json'].map((name) => `${directory}/${name}`))
    .filter((file) => existsSync(path.join(checkout, file)));
};

export const typecheckPart: Part = {
  name: 'typecheck',
  run: async () => {
    const queue = projects();
    let passed = 0;
    let failed = 0;
    const worker = async (): Promise<void> => {
      for (let project = queue.shift(); project; project = queue.shift()) {
        const { code, output } = await runProgram('tsc', ['--noEmit', '-p', project]);
        if (code === 0) passed += 1;
        else {
          failed += 1;
          process.stdout.write(`${project}\n${output}`);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return { passed, failed, skipped: 0 };
  },
};
