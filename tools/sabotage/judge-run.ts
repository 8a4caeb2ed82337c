/** What a run under sabotage shows: whether exactly the tests that were named turned red, and whether each broken promise was noticed by a test that cites it. */
import type { Sabotage } from './sabotage.ts';

export interface RanTest {
  /** Relative to the checkout. */
  readonly file: string;
  readonly title: string;
  readonly status: 'green' | 'red' | 'not run';
}

export interface Judgement {
  /** `file › title`, as they are named. */
  readonly red: readonly string[];
  readonly green: number;
  /** What is wrong, in sentences; empty when the promise can fail as it should. */
  readonly problems: readonly string[];
}

const nameOfTest = ({ file, title }: RanTest): string => `${file} › ${title}`;

const matches = (pattern: string, name: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
};

export const judgeRun = (
  { breaks, red: expected }: Pick<Sabotage, 'breaks' | 'red'>,
  tests: readonly RanTest[],
): Judgement => {
  const red = tests.filter(({ status }) => status === 'red').map(nameOfTest);
  const problems = [
    ...breaks
      .filter((promise) => !red.some((name) => name.includes(`[${promise}]`)))
      .map((promise) => `No test that cites [${promise}] turned red: the promise is broken and nobody notices.`),
    ...expected
      .filter((pattern) => !red.some((name) => matches(pattern, name)))
      .map((pattern) => `It stayed green and should have turned red: ${pattern}`),
    ...red
      .filter((name) => !expected.some((pattern) => matches(pattern, name)))
      .map((name) => `It turned red and is not named: ${name}`),
  ];
  return { red, green: tests.filter(({ status }) => status === 'green').length, problems };
};
