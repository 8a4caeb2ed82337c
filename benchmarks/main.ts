/** Entry of `./bravo bench`: runs every benchmark, prints one table and keeps it as JSON. A missed goal is said and is no failure; an error is. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Platform, startPlatform } from '@bravo/testing';
import { checkout } from '@bravo/tools/stack/checkout';
import { type Benchmark, comparisonOf, type Measurement, meetsGoal } from './benchmark.ts';

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const say = (text: string): void => void (values.json ? process.stderr : process.stdout).write(`${text}\n`);

interface Outcome {
  readonly benchmark: string;
  readonly title: string;
  readonly seconds: number;
  readonly measurements: readonly Measurement[];
  readonly error?: string;
}

let starting: Promise<Platform> | undefined;
const stage = { smoke: values.smoke, platform: () => (starting ??= startPlatform()) };

const measure = async (name: string): Promise<Outcome> => {
  const begun = Date.now();
  const { benchmark } = (await import(`./${name}`)) as { benchmark: Benchmark };
  try {
    const measurements = await benchmark.run(stage);
    return { benchmark: name, title: benchmark.title, seconds: (Date.now() - begun) / 1000, measurements };
  } catch (error) {
    return {
      benchmark: name,
      title: benchmark.title,
      seconds: (Date.now() - begun) / 1000,
      measurements: [],
      error: (error as Error).stack ?? String(error),
    };
  }
};

const number = (value: number): string => {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
};

const comparison = (measurement: Measurement): string => {
  const value = comparisonOf(measurement);
  if (value === undefined) return '';
  return measurement.compared === 'difference'
    ? `${value >= 0 ? '+' : ''}${number(value)} ${measurement.unit}`
    : `${number(value)}×`;
};

const goal = (measurement: Measurement): string => {
  if (measurement.goal === undefined) return '';
  const sign = measurement.compared === 'speed-up' ? '≥' : '≤';
  const unit = measurement.compared === 'difference' ? ` ${measurement.unit}` : '×';
  return `${sign} ${measurement.goal}${unit} ${meetsGoal(measurement) ? 'met' : 'MISSED'}`;
};

const tell = ({ title, measurements, error, seconds }: Outcome): void => {
  say(`\n${title} (${seconds.toFixed(1)} s)`);
  if (error !== undefined) say(`  failed: ${error}`);
  for (const each of measurements) {
    const reference = each.reference === undefined ? '' : number(each.reference);
    say(
      `  ${each.name.padEnd(46)}${`${number(each.ours)} ${each.unit}`.padStart(16)}${reference.padStart(12)}${comparison(each).padStart(14)}  ${goal(each)}`,
    );
  }
};

const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.bench.ts') && name.includes(values.only))
  .sort();
const outcomes: Outcome[] = [];
try {
  for (const name of names) {
    const outcome = await measure(name);
    outcomes.push(outcome);
    tell(outcome);
  }
} finally {
  await (await starting?.catch(() => undefined))?.stop();
}

const machine = {
  node: process.version,
  processors: os.cpus().length,
  model: os.cpus()[0]?.model ?? '',
  load: os.loadavg(),
};
const report = { at: new Date().toISOString(), smoke: values.smoke, machine, outcomes };
const directory = path.join(checkout, '.bravo-reports');
mkdirSync(directory, { recursive: true });
const file = path.join(directory, values.smoke ? 'bench-smoke.json' : 'bench.json');
writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
const failed = outcomes.filter(({ error }) => error !== undefined).length;
say(`\n${'columns: ours, reference, comparison, goal'}; kept in ${path.relative(checkout, file)}`);
if (values.smoke) say('A smoke run proves that the benchmarks work; its numbers mean little.');
say(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
