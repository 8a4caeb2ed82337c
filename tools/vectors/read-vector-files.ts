/** Reads every file of vectors in a folder. Guarantees that a folder without one is an error. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { readVectorFile, type VectorError, type VectorFile } from './read-vector-file.ts';
import type { Suite } from './suite.ts';

/** `folder` may also be one file. */
export function readVectorFiles(
  folder: string,
  suites: readonly Suite[],
): { files: readonly (VectorFile & { file: string })[]; errors: readonly VectorError[] } {
  const found: (VectorFile & { file: string })[] = [];
  const errors: VectorError[] = [];
  const names = filesIn(folder);
  if (names.length === 0) errors.push({ file: folder, text: 'There is no .yaml file here.' });
  for (const file of names) {
    const reading = readVectorFile(file, suites);
    if ('errors' in reading) errors.push(...reading.errors);
    else found.push({ ...reading.found, file });
  }
  return { files: found, errors };
}

function filesIn(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}
