/** The promises of docs/guarantees.md and the tests that cite them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { citedPromises } from '../checks/cited-promises.ts';

export interface CitedPromise {
  readonly id: string;
  readonly text: string;
  /** Test files, relative to the checkout. */
  readonly tests: readonly string[];
}

const testFiles = (root: string): string[] =>
  execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.spec.ts', '*.contract.ts', '*.journey.ts'],
    { cwd: root, encoding: 'utf8' },
  )
    .split('\n')
    .filter((file) => file !== '' && !file.startsWith('tools/checks/') && existsSync(path.join(root, file)));

/** Test files by every id that stands in a title, also one that is no promise. */
export const readCitations = (root: string): Map<string, string[]> => {
  const cited = new Map<string, string[]>();
  for (const file of testFiles(root)) {
    for (const id of new Set(citedPromises(file, readFileSync(path.join(root, file), 'utf8')))) {
      cited.set(id, [...(cited.get(id) ?? []), file]);
    }
  }
  return cited;
};

export const readPromises = (root: string, cited = readCitations(root)): CitedPromise[] =>
  [
    ...readFileSync(path.join(root, 'docs/guarantees.md'), 'utf8').matchAll(/^\| `([a-z]+\.[a-z-]+)` \| (.+) \|$/gm),
  ].map(([, id = '', text = '']) => ({ id, text, tests: cited.get(id) ?? [] }));
