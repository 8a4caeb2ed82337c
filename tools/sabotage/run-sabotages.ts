/** Breaks a copy of the checkout, one sabotage after another, and tells which tests noticed. The checkout itself is only read. */
import path from 'node:path';
import { type JestReport, runJest } from '../checks/run-jest.ts';
import { runProgram } from '../checks/run-program.ts';
import { nodeProgram } from '../stack/checkout.ts';
import { judgeRun, type Judgement, type RanTest } from './judge-run.ts';
import { isJourney, type Sabotage, sabotageText, testFilesOf } from './sabotage.ts';
import { makeScratchCheckout, type ScratchCheckout } from './scratch-checkout.ts';

export interface SabotageResult extends Judgement {
  readonly sabotage: Sabotage;
  readonly seconds: number;
}

export interface SabotageOptions {
  /**
   * `named`: the test files that are named, of a journey the tests that are named or cite what is broken. `related`: all of
   * them, and every other spec that imports the broken file, at whatever distance, so that whatever else turns red is found.
   */
  readonly specs: 'named' | 'related';
  /** A busy machine can turn a test red as well, so what goes wrong is tried again. */
  readonly attempts?: number;
  readonly say: (line: string) => void;
  readonly told: (result: SabotageResult) => void;
}

/** What is broken may wait for ever. */
const LONGEST_RUN_MS = 20 * 60_000;

const testsOf = (root: string, { testResults }: JestReport): RanTest[] =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(root, name);
    if (assertionResults.length === 0 && message !== '')
      throw new Error(`${file} could not be run: ${message.slice(0, 600)}`);
    return assertionResults.map(({ fullName, status }): RanTest => ({
      file,
      title: fullName,
      status: status === 'passed' ? 'green' : status === 'failed' ? 'red' : 'not run',
    }));
  });

const build = async (root: string): Promise<void> => {
  const { code, output } = await runProgram(
    nodeProgram(),
    ['--conditions=source', path.join(root, 'tools', 'build', 'main.ts')],
    { cwd: root },
  );
  if (code !== 0) throw new Error(`The broken copy cannot be built: ${output.trim()}`);
};

const runSpecs = async (root: string, args: readonly string[]): Promise<RanTest[]> =>
  testsOf(
    root,
    (await runJest(['--silent', '--forceExit', '--maxWorkers=2', ...args], { root, limitMs: LONGEST_RUN_MS })).report,
  );

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** For jest's --testNamePattern: what cites a broken promise, and what is named without citing one. */
const namesOf = (sabotages: readonly Sabotage[]): string =>
  sabotages
    .flatMap(({ breaks, red }) => [
      ...breaks.map((promise) => escape(`[${promise}]`)),
      ...red.filter(isJourney).map((entry) =>
        entry
          .slice(entry.indexOf(' › ') + 3)
          .split('*')
          .map(escape)
          .join('.*'),
      ),
    ])
    .join('|');

const runJourneys = async (root: string, files: readonly string[], only: string | undefined): Promise<RanTest[]> => {
  await build(root);
  const named = only === undefined ? [] : ['--testNamePattern', only];
  const options = [
    '--silent',
    '--forceExit',
    '--config',
    'jest.journeys.mjs',
    '--runInBand',
    ...named,
    '--runTestsByPath',
    ...files,
  ];
  return testsOf(root, (await runJest(options, { root, limitMs: LONGEST_RUN_MS })).report);
};

/** @param only of the journeys. */
const runFiles = async (root: string, files: readonly string[], only?: string): Promise<RanTest[]> => {
  const [specs, journeys] = [files.filter((file) => !isJourney(file)), files.filter(isJourney)];
  return [
    ...(specs.length > 0 ? await runSpecs(root, ['--runTestsByPath', ...specs]) : []),
    ...(journeys.length > 0 ? await runJourneys(root, journeys, only) : []),
  ];
};

const runUnder = async (
  scratch: ScratchCheckout,
  sabotage: Sabotage,
  specs: SabotageOptions['specs'],
): Promise<RanTest[]> => {
  const files = testFilesOf(sabotage);
  const restore = scratch.change(sabotage.file, (text) => sabotageText(text, sabotage));
  try {
    if (specs === 'named') return await runFiles(scratch.root, files, namesOf([sabotage]));
    const related = await runSpecs(scratch.root, ['--passWithNoTests', '--findRelatedTests', sabotage.file]);
    const ran = new Set(related.map(({ file }) => file));
    return [
      ...related,
      ...(await runFiles(
        scratch.root,
        files.filter((file) => !ran.has(file)),
      )),
    ];
  } finally {
    restore();
  }
};

/**
 * A test that is red without any sabotage would make every sabotage look noticed.
 * @throws Error naming the tests that are.
 */
const requireGreen = async (
  scratch: ScratchCheckout,
  sabotages: readonly Sabotage[],
  specs: SabotageOptions['specs'],
): Promise<number> => {
  const only = specs === 'named' ? namesOf(sabotages) : undefined;
  const redIn = (tests: readonly RanTest[]): RanTest[] => tests.filter(({ status }) => status === 'red');
  const tests = await runFiles(scratch.root, [...new Set(sabotages.flatMap(testFilesOf))], only);
  const suspects = [...new Set(redIn(tests).map(({ file }) => file))];
  // Once more, because a busy machine can turn a test red as well.
  const red = suspects.length === 0 ? [] : redIn(await runFiles(scratch.root, suspects, only));
  if (red.length > 0) {
    const names = red.map(({ file, title }) => `${file} › ${title}`);
    throw new Error(`These tests are red without any sabotage:\n  ${names.join('\n  ')}`);
  }
  return tests.filter(({ status }) => status !== 'not run').length;
};

const failedToRun = (error: unknown): Judgement => ({
  red: [],
  green: 0,
  problems: [`It could not be run: ${(error as Error).message}`],
});

/** In the order given. A sabotage that goes wrong is run once more before it counts: a busy machine can turn a test red as well. */
export const runSabotages = async (
  original: string,
  sabotages: readonly Sabotage[],
  { specs, attempts = 2, say, told }: SabotageOptions,
): Promise<SabotageResult[]> => {
  const scratch = makeScratchCheckout(original);
  // Whoever stops it leaves nothing behind.
  const stop = (): void => {
    scratch.remove();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const results: SabotageResult[] = [];
  try {
    say(`${await requireGreen(scratch, sabotages, specs)} tests are green without a sabotage`);
    for (const sabotage of sabotages) {
      const begun = Date.now();
      const attempt = (): Promise<Judgement> =>
        runUnder(scratch, sabotage, specs).then((tests) => judgeRun(sabotage, tests), failedToRun);
      let judgement = await attempt();
      for (let more = attempts - 1; more > 0 && judgement.problems.length > 0; more -= 1) judgement = await attempt();
      const result = { sabotage, ...judgement, seconds: (Date.now() - begun) / 1000 };
      results.push(result);
      told(result);
    }
    return results;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    scratch.remove();
  }
};
