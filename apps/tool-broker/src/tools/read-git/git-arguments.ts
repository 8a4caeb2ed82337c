/** What a query takes and what it does not, as one sentence that names the argument. */
import type { JsonObject } from '@bravo/policy';

const TAKES: Readonly<Record<string, readonly string[]>> = {
  log: ['revision', 'path', 'count', 'skip', 'messages', 'since', 'until'],
  show: ['revision', 'path'],
  diff: ['revision', 'path'],
  status: ['path'],
  tags: ['revision', 'count', 'skip'],
  search: ['revision', 'path', 'pattern', 'count', 'skip'],
};
const EVERY = ['query', 'repository', 'why'];

/** Undefined where nothing is wrong. */
export const misuseOf = (given: JsonObject): string | undefined => {
  const query = String(given['query']);
  const takes = TAKES[query] ?? [];
  const stray = Object.keys(given).find((name) => !EVERY.includes(name) && !takes.includes(name));
  if (stray !== undefined) return `The argument "${stray}" is not taken by ${query}, which takes ${takes.join(', ')}.`;
  if (query === 'search' && given['pattern'] === undefined)
    return 'The argument "pattern" is missing: search needs the regular expression to look for.';
  if (query === 'diff' && given['revision'] === undefined)
    return 'The argument "revision" is missing: diff takes two revisions, as A..B or A B.';
  return undefined;
};
