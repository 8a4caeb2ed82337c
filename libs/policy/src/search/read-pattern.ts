/** Checks one search pattern and spells it for the engine. Guarantees that whatever comes out is in the dialect, bounded in length and depth; it must never pass a construct on that it did not read. */
import { LIMITS } from '../limits/limits.ts';
import { peek, type PatternCursor } from './pattern-cursor.ts';
import { readClass } from './read-class.ts';
import { readEscape } from './read-escape.ts';
import { readGroupStart } from './read-group.ts';
import { PatternRefused } from './refusal.ts';
import { spellCharacter, spellClassMembers } from './write-expression.ts';

const MAX_CHARACTERS = LIMITS['search-pattern-chars'].value;
const MAX_DEPTH = LIMITS['search-pattern-depth'].value;

/** @throws PatternRefused at the first thing that is not in the dialect, from the left; length comes before all. */
export function readPattern(pattern: string): string {
  // A pattern longer than this in UTF-16 units is too long in characters whatever they are, and is not taken apart.
  const characters = pattern.length > 2 * MAX_CHARACTERS ? undefined : [...pattern];
  if (characters === undefined || characters.length > MAX_CHARACTERS) {
    throw new PatternRefused(
      'too-long',
      MAX_CHARACTERS,
      `The pattern is longer than ${MAX_CHARACTERS} characters. Shorten it, or give a list of patterns.`,
    );
  }
  if (!pattern.isWellFormed()) {
    throw new PatternRefused('malformed', 0, 'The pattern holds half of a surrogate pair, which is no character.');
  }
  const cursor: PatternCursor = { characters, at: 0 };
  const expression = readAlternatives(cursor, 0);
  if (peek(cursor) === ')') {
    throw new PatternRefused('malformed', cursor.at, 'A ) closes nothing. Write \\) for the character.');
  }
  return expression;
}

/** Reads up to the end or to a closing parenthesis, which is left where it is. */
function readAlternatives(cursor: PatternCursor, depth: number): string {
  let written = '';
  for (let next = peek(cursor); next !== undefined && next !== ')'; next = peek(cursor)) {
    if (next === '|') {
      written += '|';
      cursor.at += 1;
    } else {
      written += readItem(cursor, depth);
    }
  }
  return written;
}

function readItem(cursor: PatternCursor, depth: number): string {
  const next = peek(cursor) ?? '';
  if (isQuantifier(next)) {
    throw new PatternRefused(
      'malformed',
      cursor.at,
      `Nothing stands before ${next} to be repeated. Write \\${next} for the character.`,
    );
  }
  if (next !== '(') return withQuantifier(cursor, readAtom(cursor, next));
  const at = cursor.at;
  const start = readGroupStart(cursor);
  if ('flag' in start) return start.flag;
  if (depth >= MAX_DEPTH) {
    throw new PatternRefused(
      'too-deep',
      at,
      `Groups are nested deeper than ${MAX_DEPTH} levels. Take some of the parentheses away.`,
    );
  }
  const inside = readAlternatives(cursor, depth + 1);
  if (peek(cursor) !== ')') {
    throw new PatternRefused('malformed', at, 'A ( is never closed. Add the ), or write \\( for the character.');
  }
  cursor.at += 1;
  return withQuantifier(cursor, `${start.opening}${inside})`);
}

function readAtom(cursor: PatternCursor, next: string): string {
  if (next === '[') return readClass(cursor);
  if (next === '\\') {
    const escape = readEscape(cursor, false);
    if (escape.kind === 'boundary') return `(?:\\${escape.letter})`;
    return escape.kind === 'class' ? spellClass(escape.letter) : spellCharacter(escape.character);
  }
  cursor.at += 1;
  // Anchors are those of the line, which is the whole of the text; a dot is any character of it.
  if (next === '^') return '(?:\\A)';
  if (next === '$') return '(?:\\z)';
  if (next === '.') return '(?s:.)';
  return spellCharacter(next);
}

/** `*`, `+` or `?`, each with a `?` after it that changes nothing about whether a line matches. */
function withQuantifier(cursor: PatternCursor, item: string): string {
  const quantifier = peek(cursor) ?? '';
  if (!isQuantifier(quantifier)) return item;
  cursor.at += 1;
  if (peek(cursor) === '?') cursor.at += 1;
  const second = peek(cursor) ?? '';
  if (isQuantifier(second)) {
    throw new PatternRefused(
      'malformed',
      cursor.at,
      `${second} follows a quantifier. Put the part to be repeated in ( ).`,
    );
  }
  return item + quantifier;
}

function isQuantifier(character: string): boolean {
  return character === '*' || character === '+' || character === '?';
}

function spellClass(letter: string): string {
  return `(?-i:[${spellClassMembers(letter)}])`;
}
