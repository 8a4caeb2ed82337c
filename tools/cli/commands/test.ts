/** `test`: everything that can fail, from a fresh checkout; the last line says how much passed and how much failed. */
import { parseArgs } from 'node:util';
import { runBuild } from '../../build/run-build.ts';
import { journeysPart, unitPart } from '../../checks/jest-part.ts';
import { lintPart } from '../../checks/lint-part.ts';
import { runPart, total, type Part, type PartResult } from '../../checks/part.ts';
import { typecheckPart } from '../../checks/typecheck-part.ts';
import { checkout } from '../../stack/checkout.ts';
import type { Command } from '../command.ts';
import { printLine } from '../output.ts';

const buildPart: Part = {
  name: 'build',
  run: async () => {
    const done = await runBuild(checkout, { say: (step) => printLine(`build ${step}`) });
    if (done.length === 0) printLine('nothing to build');
    return { passed: 1, failed: 0, skipped: 0 };
  },
};

export const command: Command = {
  summary: 'Build, lint, typecheck, unit and contract tests, journeys.',
  usage: 'test [--unit|--journeys]',
  run: async ({ args }) => {
    const { values } = parseArgs({
      args: [...args],
      options: { unit: { type: 'boolean', default: false }, journeys: { type: 'boolean', default: false } },
    });
    const everything = values.unit === values.journeys;
    const parts = [
      buildPart,
      ...(everything ? [lintPart, typecheckPart] : []),
      ...(everything || values.unit ? [unitPart] : []),
      ...(everything || values.journeys ? [journeysPart] : []),
    ];
    const results: PartResult[] = [];
    for (const part of parts) results.push(await runPart(part));
    printLine();
    for (const { name, passed, failed, skipped } of results) {
      printLine(`${name.padEnd(24)} ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
    }
    const { passed, failed } = total(results);
    printLine(`${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
};
