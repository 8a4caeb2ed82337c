/** Replays every file of vectors in a folder. Guarantees that a case that throws has failed and that a folder without cases is an error, never a success. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readVectorFile, type VectorError } from './read-vector-file.ts';
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
  const errors: VectorError[] = [];
  const results = new Map<Suite, { total: number; failed: FailedCase[] }>();
  const files = vectorFiles(folder);
  if (files.length === 0) errors.push({ file: folder, text: 'There is no .yaml file here.' });
  for (const file of files) {
    const reading = readVectorFile(file, suites);
    if ('errors' in reading) {
      errors.push(...reading.errors);
      continue;
    }
    const { suite, rows } = reading.found;
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

function vectorFiles(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => path.join(folder, name));
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
