/** Mutation testing: Stryker over the decision, or over files that are named; ends with its exit code. A file that is none is refused, because Stryker would call it a success. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../cli/command.ts';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { runProgram } from './run-program.ts';

/** A mutant that loops is told from a slow machine by this much more than the specs took. */
const TIMEOUT_MS = 60_000;

/** @param only files, comma-separated and relative to the checkout; the files of the decision where it is absent. */
export const runMutation = async (only: string | undefined): Promise<number> => {
  for (const file of only?.split(',') ?? [])
    if (!existsSync(path.join(checkout, file)))
      throw new CommandError(`There is no ${file}; name a file of libs/policy as seen from the checkout.`, 2);
  // Of the decision its own specs alone: they are quick, and what only another spec would notice is not theirs.
  const ofDecision = (only ?? 'decide').split(',').every((file) => path.basename(file).startsWith('decide'));
  const entry = path.join(checkout, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const { code } = await runProgram(
    nodeProgram(),
    [entry, 'run', '--timeoutMS', String(TIMEOUT_MS), ...(only === undefined ? [] : ['--mutate', only])],
    { cwd: checkout, show: true, env: ofDecision ? { BRAVO_MUTATION_SPECS: 'decide' } : {} },
  );
  return code;
};
