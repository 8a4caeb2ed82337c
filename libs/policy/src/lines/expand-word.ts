/** Turns a word into the arguments it stands for: braces first, then the home, then files. Guarantees that the count is known before anything is built; it must never pass a pattern through as text. */
import { PROGRAM_LIMITS } from '../limits/program-limits.ts';
import { LineRefused } from './line-plan.ts';
import { type EntryTree, matchEntries } from './match-entries.ts';
import type { Piece, Word } from './read-word.ts';

export interface Surroundings {
  /** What a tilde stands for; absent: nothing. */
  readonly home: string | undefined;
  /** Entries patterns are matched against, built when the first pattern needs them. */
  readonly entries: () => EntryTree;
}

const MOST_ARGUMENTS = PROGRAM_LIMITS['run-words'].value;

export function expandWord(word: Word, surroundings: Surroundings): readonly string[] {
  refuseMany(countWords(word));
  const expanded: string[] = [];
  for (const alternative of alternativesOf(word)) {
    const settled = alternative.map((piece) => settleHome(piece, surroundings.home));
    if (!hasPattern(settled)) expanded.push(textOf(settled));
    else {
      const matched = matchEntries(surroundings.entries(), settled);
      if (matched.length === 0) throw new LineRefused('NoMatch');
      expanded.push(...matched.slice(0, MOST_ARGUMENTS + 1));
    }
    refuseMany(expanded.length);
  }
  return expanded;
}

/** Whether files decide what the word stands for. */
export function hasPattern(word: Word): boolean {
  return word.some((piece) => {
    if (piece.kind === 'alternatives') return piece.options.some(hasPattern);
    return piece.kind === 'any' || piece.kind === 'one' || piece.kind === 'tree' || piece.kind === 'class';
  });
}

/** The text of a word that is nothing but text. */
export function plainTextOf(word: Word): string | undefined {
  return word.every((piece) => piece.kind === 'text') ? textOf(word) : undefined;
}

function refuseMany(count: number): void {
  if (count > MOST_ARGUMENTS) {
    throw new LineRefused('TooMany', `one word may stand for ${MOST_ARGUMENTS} arguments`);
  }
}

function countWords(word: Word): number {
  let count = 1;
  for (const piece of word) {
    if (piece.kind === 'alternatives') count *= piece.options.reduce((sum, option) => sum + countWords(option), 0);
    if (piece.kind === 'range') count *= Math.abs(piece.to - piece.from) + 1;
  }
  return count;
}

/** In the order a reader would write them: the last group changes fastest. */
function alternativesOf(word: Word): readonly Word[] {
  let words: Piece[][] = [[]];
  for (const piece of word) {
    if (piece.kind === 'alternatives' || piece.kind === 'range') {
      const choices = choicesOf(piece);
      words = words.flatMap((known) => choices.map((choice) => [...known, ...choice]));
    } else for (const known of words) known.push(piece);
  }
  return words;
}

function choicesOf(piece: Extract<Piece, { kind: 'alternatives' | 'range' }>): readonly Word[] {
  if (piece.kind === 'alternatives') return piece.options.flatMap(alternativesOf);
  const step = piece.from <= piece.to ? 1 : -1;
  const length = Math.abs(piece.to - piece.from) + 1;
  return Array.from({ length }, (_, at) => [{ kind: 'text', text: pad(piece.from + at * step, piece.width) }]);
}

function pad(number: number, width: number): string {
  const digits = Math.abs(number).toString();
  const sign = number < 0 ? '-' : '';
  return sign + digits.padStart(width - sign.length, '0');
}

function settleHome(piece: Piece, home: string | undefined): Piece {
  if (piece.kind !== 'home') return piece;
  if (home === undefined || home === '') throw new LineRefused('NoHome');
  return { kind: 'text', text: home };
}

function textOf(word: Word): string {
  return word.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}
