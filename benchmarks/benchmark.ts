/** What a benchmark is: it measures us and a reference side by side in one run and answers with the ratio; machines differ, ratios hold. */
import type { Platform } from '@bravo/testing';

export interface Measurement {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** Absent where there is nothing to compare with. */
  readonly reference?: number;
  /** How the two are compared; a ratio unless said. */
  readonly compared?: 'ratio' | 'speed-up' | 'difference';
  /** The most the comparison may be; for a speed-up the least. Absent where none was set. */
  readonly goal?: number;
}

export interface Stage {
  /** A short form that proves that the benchmark works; its numbers mean little. */
  readonly smoke: boolean;
  /** Started when first asked for, shared by the benchmarks of a run. */
  platform(): Promise<Platform>;
}

export interface Benchmark {
  readonly title: string;
  run(stage: Stage): Promise<Measurement[]>;
}

/** Ours over the reference, the reference over ours for a speed-up, or what we add. */
export const comparisonOf = ({ ours, reference, compared = 'ratio' }: Measurement): number | undefined => {
  if (reference === undefined) return undefined;
  if (compared === 'difference') return ours - reference;
  return compared === 'ratio' ? ours / reference : reference / ours;
};

export const meetsGoal = (measurement: Measurement): boolean | undefined => {
  const value = comparisonOf(measurement);
  if (value === undefined || measurement.goal === undefined) return undefined;
  return measurement.compared === 'speed-up' ? value >= measurement.goal : value <= measurement.goal;
};

/** @param fraction 0.5 is the median. */
export const quantile = (values: readonly number[], fraction: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
};

/** Milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

/** In turn, so that whatever else the machine does meets both alike. */
export const inTurn = async (
  times: number,
  ours: (round: number) => Promise<number>,
  reference: (round: number) => Promise<number>,
): Promise<{ ours: number[]; reference: number[] }> => {
  const taken = { ours: [] as number[], reference: [] as number[] };
  for (let round = 0; round < times; round += 1) {
    const oursFirst = round % 2 === 0;
    if (oursFirst) taken.ours.push(await ours(round));
    taken.reference.push(await reference(round));
    if (!oursFirst) taken.ours.push(await ours(round));
  }
  return taken;
};
