/** Mutation testing: Stryker over one area of the decision, or over files that are named; ends with its exit code. A file that is none is refused, because Stryker would call it a success. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../cli/command.ts';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { MUTATION_AREAS, type MutationArea } from './mutation-areas.ts';
import { runProgram } from './run-program.ts';

/** A mutant that loops is told from a slow machine by this much more than the specs took. */
const TIMEOUT_MS = 30_000;

/** Where the areas' code lies, seen from the checkout. */
const SOURCES = 'libs/policy/src';

/** @param only areas by name, or files of one area relative to the checkout, comma-separated; the area `decision` where it is absent. */
export const runMutation = async (only = 'decision'): Promise<number> => {
  const { code, specs } = chooseMutants(only.split(','));
  const entry = path.join(checkout, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const { code: exitCode } = await runProgram(
    nodeProgram(),
    [entry, 'run', '--timeoutMS', String(TIMEOUT_MS), '--mutate', code.join(',')],
    { cwd: checkout, show: true, env: { BRAVO_MUTATION_SPECS: specs.join(',') } },
  );
  return exitCode;
};

/** @throws CommandError for what is neither an area nor a file, and for files of several areas: each is measured by its own specs. */
export const chooseMutants = (names: readonly string[]): MutationArea => {
  const areas = names.map((name) => MUTATION_AREAS[name]).filter((area) => area !== undefined);
  if (areas.length === names.length) {
    return {
      code: areas.flatMap(({ code }) => code.map(fromCheckout)).concat('!**/*.spec.ts', '!**/*.fixture.ts'),
      specs: areas.flatMap(({ specs }) => specs),
    };
  }
  const missing = names.find((name) => !existsSync(path.join(checkout, name)));
  if (missing !== undefined)
    throw new CommandError(
      `There is no ${missing}; name a file of libs/policy as seen from the checkout, or an area: ${Object.keys(MUTATION_AREAS).join(', ')}.`,
      2,
    );
  const owners = new Set(names.map(areaOf));
  const [owner] = owners;
  if (owners.size !== 1)
    throw new CommandError('Name files of one area at a time: each area is measured by its own specs.', 2);
  return { code: [...names], specs: MUTATION_AREAS[owner ?? '']?.specs ?? ['**/*'] };
};

const fromCheckout = (pattern: string): string =>
  pattern.startsWith('!') ? `!${SOURCES}/${pattern.slice(1)}` : `${SOURCES}/${pattern}`;

/** The area a file is measured with; empty for one of none, which all specs measure. */
const areaOf = (file: string): string => {
  const inside = path.relative(path.join(checkout, SOURCES), path.join(checkout, file));
  const found = Object.entries(MUTATION_AREAS).find(([, { code }]) =>
    code.some((pattern) => path.matchesGlob(inside, pattern)),
  );
  return found?.[0] ?? '';
};
