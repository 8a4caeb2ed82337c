/** The list of attempts: what was tried, what it got, what it must get. It is printed and written down at the end, whatever failed. */
import { afterAll } from '@jest/globals';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Outcome {
  readonly got: string;
  readonly held: boolean;
}

interface Row extends Outcome {
  readonly attempt: string;
  readonly expected: string;
}

export interface Attempts {
  /** Tries it; an error is an outcome too, and a wrong one. */
  try(attempt: string, expected: string, act: () => Promise<Outcome>): Promise<void>;
  /** The wrong ones since the last question, in words. */
  wrong(): string[];
}

const root = path.resolve(import.meta.dirname, '../../..');

/** For one test file: prints the table when the file ends. */
export const keepAttempts = (reportFile: string): Attempts => {
  const rows: Row[] = [];
  let asked = 0;
  afterAll(() => {
    const file = path.join(root, '.bravo-reports', reportFile);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`);
    const lines = rows.map(({ attempt, got, expected, held }) => `${held ? 'ok   ' : 'WRONG'} ${attempt.padEnd(58)} → ${got}${held ? '' : `\n      expected: ${expected}`}`);
    process.stderr.write(`\n${rows.length} attempts, ${rows.filter(({ held }) => !held).length} wrong\n${lines.join('\n')}\n`);
  });
  return {
    try: async (attempt, expected, act) => {
      const outcome = await act().catch((error: unknown): Outcome => ({ got: `threw ${String(error)}`, held: false }));
      rows.push({ attempt, expected, ...outcome });
    },
    wrong: () => {
      const found = rows.slice(asked).filter(({ held }) => !held);
      asked = rows.length;
      return found.map(({ attempt, got, expected }) => `${attempt} → ${got}, expected ${expected}`);
    },
  };
};
