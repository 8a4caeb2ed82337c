/** `test --guarantees`: the table promise → tests → sabotage; with --run every sabotage is tried in a copy of the checkout. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { guaranteesPart, promiseTable, REPORT } from '../checks/guarantees-part.ts';
import { nameOf, readSabotages, type Sabotage } from '../sabotage/sabotage.ts';
import { checkout } from '../stack/checkout.ts';
import { CommandError } from './command.ts';
import { printJson, printLine } from './output.ts';

export interface GuaranteesOptions {
  readonly run: boolean;
  /** Ids of promises, with commas; absent: all. */
  readonly only?: string | undefined;
  readonly json: boolean;
  /** Also every other spec that imports what is broken, at whatever distance: minutes for each sabotage. */
  readonly wide: boolean;
}

const choose = (only: string | undefined): readonly Sabotage[] => {
  const { sabotages } = readSabotages(checkout);
  if (only === undefined) return sabotages;
  const wanted = only.split(',').map((id) => id.trim());
  const unknown = wanted.filter((id) => !sabotages.some(({ breaks }) => breaks.includes(id)));
  if (unknown.length > 0)
    throw new CommandError(
      `There is no sabotage of ${unknown.join(', ')}. "./bravo test --guarantees" lists the promises and their sabotages.`,
      2,
    );
  return sabotages.filter(({ breaks }) => breaks.some((id) => wanted.includes(id)));
};

const printTable = (): void => {
  const rows = promiseTable();
  for (const { promise, text, tests, sabotages, without } of rows) {
    printLine(`${promise}\n  ${text}`);
    for (const test of tests) printLine(`  test      ${test}`);
    for (const { file, does } of sabotages) printLine(`  sabotage  ${does} (${file})`);
    if (without !== undefined) printLine(`  no sabotage: ${without}`);
  }
  const broken = rows.filter(({ sabotages }) => sabotages.length > 0).length;
  printLine(`\n${rows.length} promises, ${broken} of them about security and with a sabotage. "--run" tries them.`);
};

/** @returns the exit code. */
export const showGuarantees = async ({ run, only, json, wide }: GuaranteesOptions): Promise<number> => {
  if (!run) {
    if (only !== undefined || wide) throw new CommandError('--only and --wide go with --run.', 2);
    if (json) printJson(promiseTable());
    else printTable();
    return 0;
  }
  const say = json ? (line: string) => void process.stderr.write(`${line}\n`) : printLine;
  const chosen = choose(only);
  say(`${chosen.length} sabotages of ${[...new Set(chosen.map(nameOf))].length} promises, in a copy of the checkout`);
  const { passed, failed } = await guaranteesPart({ chosen, specs: wide ? 'related' : 'named', say }).run();
  say(`${REPORT} says which tests turned red`);
  if (json) printJson(JSON.parse(readFileSync(path.join(checkout, REPORT), 'utf8')));
  say(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
};
