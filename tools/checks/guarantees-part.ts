/** Guarantees that can fail: in a copy of the checkout each promise about security is broken on purpose, and exactly its tests must turn red. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPromises } from '../sabotage/promises.ts';
import { runSabotages, type SabotageOptions, type SabotageResult } from '../sabotage/run-sabotages.ts';
import { readSabotages, type Sabotage } from '../sabotage/sabotage.ts';
import { checkout } from '../stack/checkout.ts';
import type { Part } from './part.ts';

/** Where `./bravo test --guarantees` leaves what it found. */
export const REPORT = path.join('.bravo-reports', 'guarantees.json');

const tell = ({ sabotage, red, green, problems, seconds }: SabotageResult, say: (line: string) => void): void => {
  const mark = problems.length === 0 ? '✓' : '✗';
  say(
    `${mark} ${sabotage.breaks.join(', ').padEnd(44)} ${String(red.length).padStart(3)} red, ${String(green).padStart(4)} green ${seconds.toFixed(1).padStart(6)} s  ${sabotage.does}`,
  );
  for (const problem of problems) say(`    ${problem}`);
};

export interface GuaranteesPartOptions {
  readonly chosen: readonly Sabotage[];
  readonly specs: SabotageOptions['specs'];
  readonly say?: (line: string) => void;
}

/** Each sabotage is one check. */
export const guaranteesPart = ({
  chosen,
  specs,
  say = (line) => process.stdout.write(`${line}\n`),
}: GuaranteesPartOptions): Part => ({
  name: 'guarantees that can fail',
  run: async () => {
    const results = await runSabotages(checkout, chosen, { specs, say, told: (result) => tell(result, say) });
    const file = path.join(checkout, REPORT);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify(
        results.map(({ sabotage, ...found }) => ({
          ...sabotage,
          held: found.problems.length === 0,
          seconds: found.seconds,
          problems: found.problems,
          turned_red: found.red,
          stayed_green: found.green,
        })),
        null,
        2,
      )}\n`,
    );
    const failed = results.filter(({ problems }) => problems.length > 0).length;
    return { passed: results.length - failed, failed, skipped: 0 };
  },
});

/** Those of every run: quick, without a process, and in the test files that are named only. */
export const quickGuaranteesPart: Part = {
  name: 'guarantees that can fail',
  run: () =>
    guaranteesPart({ chosen: readSabotages(checkout).sabotages.filter(({ quick }) => quick), specs: 'named' }).run(),
};

export interface PromiseRow {
  readonly promise: string;
  readonly text: string;
  readonly tests: readonly string[];
  readonly sabotages: readonly { readonly file: string; readonly does: string }[];
  /** Why it needs none. */
  readonly without: string | undefined;
}

/** The table promise → tests → sabotage. */
export const promiseTable = (): PromiseRow[] => {
  const { sabotages, notAboutSecurity, notYet } = readSabotages(checkout);
  return readPromises(checkout).map(({ id, text, tests }) => ({
    promise: id,
    text,
    tests,
    sabotages: sabotages.filter(({ breaks }) => breaks.includes(id)).map(({ file, does }) => ({ file, does })),
    without: Object.hasOwn(notYet, id)
      ? `not yet. ${notYet[id]}`
      : Object.hasOwn(notAboutSecurity, id)
        ? `not about security. ${notAboutSecurity[id]}`
        : undefined,
  }));
};
