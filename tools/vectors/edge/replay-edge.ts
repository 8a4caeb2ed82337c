/** Replays a folder of cases at the edge. Guarantees that a case that cannot be met is counted with its reason and never as passed; cases of one seat come one after another. */
import { isDeepStrictEqual } from 'node:util';
import { readVectorFiles } from '../read-vector-files.ts';
import type { VectorError } from '../read-vector-file.ts';
import type { Suite } from '../suite.ts';
import { EDGE_LAYERS, type EdgeLayer, NotMet, type Seat } from './edge.ts';
import { expressCase, needsWorkspace } from './suites.ts';

export interface EdgeFailure {
  readonly id: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly thrown?: string;
}

export interface EdgeResult {
  readonly suite: string;
  readonly layer: EdgeLayer;
  readonly passed: number;
  /** Cases that were met in this layer. */
  readonly total: number;
  readonly failed: readonly EdgeFailure[];
  /** Why the others were not, each reason with how many. */
  readonly notMet: Readonly<Record<string, number>>;
}

export interface EdgeReport {
  readonly results: readonly EdgeResult[];
  readonly errors: readonly VectorError[];
  readonly seconds: number;
}

interface Job {
  readonly id: string;
  readonly suite: string;
  readonly layer: EdgeLayer;
  readonly needsWorkspace: boolean;
  readonly meet: (seat: Seat) => Promise<{ expected: unknown; actual: unknown }>;
}

/** @param only ids to be met; all where it is absent. */
export async function replayEdge(
  folder: string,
  suites: readonly Suite[],
  seats: readonly Seat[],
  only?: ReadonlySet<string>,
): Promise<EdgeReport> {
  const begun = performance.now();
  const { files, errors } = readVectorFiles(folder, suites);
  const jobs: Job[] = [];
  const notMet = new Map<string, Record<string, number>>();
  const names = new Set<string>();
  for (const { suite, rows } of files) {
    names.add(suite.name);
    for (const row of rows) {
      if (only !== undefined && !only.has(row.id)) continue;
      for (const [layer, meet] of Object.entries(expressCase(suite.name, row)) as [EdgeLayer, Job['meet'] | string][]) {
        if (typeof meet !== 'string')
          jobs.push({ id: row.id, suite: suite.name, layer, needsWorkspace: needsWorkspace(suite.name, row), meet });
        else {
          count(notMet, `${suite.name}/${layer}`, meet);
        }
      }
    }
  }
  const failures = new Map<Job, EdgeFailure>();
  const waiting = turnsOf(jobs);
  await Promise.all(
    seats.map(async (seat) => {
      for (let turn = takeTurn(waiting, seat); turn !== undefined; turn = takeTurn(waiting, seat)) {
        for (const job of turn) {
          const failure = await failureOf(job, seat);
          if (failure instanceof NotMet) {
            jobs.splice(jobs.indexOf(job), 1);
            count(notMet, `${job.suite}/${job.layer}`, failure.message);
          } else if (failure !== undefined) failures.set(job, failure);
        }
      }
    }),
  );
  for (const job of waiting.flat()) {
    jobs.splice(jobs.indexOf(job), 1);
    count(notMet, `${job.suite}/${job.layer}`, 'nobody here may write the layer of a workspace');
  }
  const results = [...names].flatMap((suite) =>
    EDGE_LAYERS.map((layer): EdgeResult => {
      const own = jobs.filter((job) => job.suite === suite && job.layer === layer);
      const failed = own.flatMap((job) => failures.get(job) ?? []);
      return {
        suite,
        layer,
        passed: own.length - failed.length,
        total: own.length,
        failed,
        notMet: notMet.get(`${suite}/${layer}`) ?? {},
      };
    }),
  );
  return { results, errors, seconds: (performance.now() - begun) / 1000 };
}

/** The first turn that this seat can take. */
function takeTurn(waiting: Job[][], { ownsWorkspace }: Seat): Job[] | undefined {
  const at = waiting.findIndex((turn) => ownsWorkspace || turn.every((job) => !job.needsWorkspace));
  return at < 0 ? undefined : waiting.splice(at, 1)[0];
}

/**
 * What one seat does in one go. What is only told of settings comes first, because nothing has to be waited for in between;
 * the other layers of one case follow one another, because they are met under the same settings.
 */
function turnsOf(jobs: readonly Job[]): Job[][] {
  const told = jobs.filter(({ layer }) => layer === 'settings');
  const decided = Map.groupBy(
    jobs.filter(({ layer }) => layer !== 'settings'),
    ({ suite, id }) => `${suite} ${id}`,
  );
  return [...told.map((job) => [job]), ...decided.values()];
}

function count(notMet: Map<string, Record<string, number>>, place: string, why: string): void {
  const reasons = notMet.get(place) ?? {};
  notMet.set(place, { ...reasons, [why]: (reasons[why] ?? 0) + 1 });
}

async function failureOf({ id, meet }: Job, seat: Seat): Promise<EdgeFailure | NotMet | undefined> {
  try {
    const { expected, actual } = await meet(seat);
    return isDeepStrictEqual(plain(actual), plain(expected)) ? undefined : { id, expected, actual };
  } catch (error) {
    return error instanceof NotMet ? error : { id, thrown: (error as Error).message };
  }
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
