/** The regular expressions of `search`. Guarantees that matching costs the line's length times the pattern's size whatever both hold; it must never hand a pattern to a backtracking engine. */
import { RE2JS } from 're2js';
import { LIMITS } from '../limits/limits.ts';
import { readPattern } from './read-pattern.ts';
import { type PatternRefusal, PatternRefused } from './refusal.ts';

const MAX_PATTERNS = LIMITS['search-patterns'].value;

export interface SearchPattern {
  /** Whether any part of the line matches any of the patterns. The line is without its end. */
  matches(line: string): boolean;
}

export type SearchPatternReading =
  { readonly ok: true; readonly pattern: SearchPattern } | { readonly ok: false; readonly refusal: PatternRefusal };

export interface SearchPatternOptions {
  /** True unless given. `(?i)` and `(?-i)` in a pattern outrank it. */
  readonly caseSensitive?: boolean;
}

/** Reads one pattern, or a list of which a line needs to match one. One refused entry refuses the list: half a search would pass for a whole one. */
export function readSearchPattern(
  patterns: string | readonly string[],
  { caseSensitive = true }: SearchPatternOptions = {},
): SearchPatternReading {
  const list = typeof patterns === 'string' ? [patterns] : patterns;
  if (list.length === 0) return refuse('malformed', 'The list of patterns is empty. Give at least one.');
  if (list.length > MAX_PATTERNS) {
    return refuse('too-long', `The list has more than ${MAX_PATTERNS} patterns. Search in several steps.`);
  }
  const expressions: string[] = [];
  for (const [at, pattern] of list.entries()) {
    try {
      expressions.push(`(?:${readPattern(pattern)})`);
    } catch (error) {
      if (!(error instanceof PatternRefused)) throw error;
      return { ok: false, refusal: { reason: error.reason, text: error.message, pattern: at, at: error.at } };
    }
  }
  const alternatives = expressions.join('|');
  const engine = RE2JS.compile(caseSensitive ? alternatives : `(?i:${alternatives})`);
  return { ok: true, pattern: { matches: (line) => engine.test(line) } };
}

function refuse(reason: PatternRefusal['reason'], text: string): SearchPatternReading {
  return { ok: false, refusal: { reason, text, pattern: 0, at: 0 } };
}
