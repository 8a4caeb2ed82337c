/** Replays every file of vectors in a folder. Guarantees that a case that throws has failed and that a folder without cases is an error, never a success. */
import { isDeepStrictEqual } from 'node:util';
import type { VectorError } from './read-vector-file.ts';
import { readVectorFiles } from './read-vector-files.ts';
import type { Replay, Suite } from './suite.ts';

export interface FailedCase extends Partial<Replay> {
  readonly id: string;
  readonly file: string;
  /** What was thrown, where the library did not answer at all. */
  readonly thrown?: string;
}

export interface SuiteResult {
  readonly suite: string;
  readonly passed: number;
  readonly total: number;
  readonly failed: readonly FailedCase[];
}

export interface FolderResult {
  /** In the order of the suites, those that the folder has. */
  readonly suites: readonly SuiteResult[];
  readonly errors: readonly VectorError[];
}

/** `folder` may also be one file. */
export function replayFolder(folder: string, suites: readonly Suite[]): FolderResult {
  const results = new Map<Suite, { total: number; failed: FailedCase[] }>();
  const { files, errors } = readVectorFiles(folder, suites);
  for (const { suite, rows, file } of files) {
    const result = results.get(suite) ?? { total: 0, failed: [] };
    results.set(suite, result);
    result.total += rows.length;
    for (const row of rows) {
      const failure = failureOf(suite, row);
      if (failure !== undefined) result.failed.push({ id: row.id, file, ...failure });
    }
  }
  const inOrder = suites.flatMap((suite) => {
    const result = results.get(suite);
    return result === undefined ? [] : [{ suite: suite.name, passed: result.total - result.failed.length, ...result }];
  });
  return { suites: inOrder, errors };
}

function failureOf(suite: Suite, row: { readonly id: string }): Omit<FailedCase, 'id' | 'file'> | undefined {
  try {
    const { expected, actual } = suite.replay(row);
    return isDeepStrictEqual(plain(actual), plain(expected)) ? undefined : { expected, actual };
  } catch (error) {
    return { thrown: (error as Error).message };
  }
}

/** As JSON has it: which prototype an object has, and whether a field is undefined or absent, says nothing about an answer. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
