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
  if (isQuantifier(next)) throw refuseQuantifier(cursor);
  if (next !== '(') return readAtom(cursor, next);
  const at = cursor.at;
  const start = readGroupStart(cursor);
  if ('flag' in start) return withoutQuantifier(cursor, start.flag);
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
  if (next === '[') return withQuantifier(cursor, readClass(cursor));
  if (next === '\\') {
    const escape = readEscape(cursor, false);
    if (escape.kind === 'boundary') return withoutQuantifier(cursor, `\\${escape.letter}`);
    const spelled = escape.kind === 'class' ? spellClass(escape.letter) : spellCharacter(escape.character);
    return withQuantifier(cursor, spelled);
  }
  cursor.at += 1;
  // Anchors are those of the line, which is the whole of the text.
  if (next === '^') return withoutQuantifier(cursor, '\\A');
  if (next === '$') return withoutQuantifier(cursor, '\\z');
  return withQuantifier(cursor, next === '.' ? '(?-s:.)' : spellCharacter(next));
}

/**
 * Quantifiers in a row repeat what is repeated already, which comes to a single one: none is allowed where any allows none,
 * many where any allows many. A `?` right after a `+` only asks for the shortest match, which no line can tell.
 */
function withQuantifier(cursor: PatternCursor, item: string): string {
  let none = false;
  let many = false;
  for (let last = '', next = peek(cursor) ?? ''; isQuantifier(next); last = next, next = peek(cursor) ?? '') {
    if (next !== '+' && !(next === '?' && last === '+')) none = true;
    if (next !== '?') many = true;
    cursor.at += 1;
  }
  return item + (none && many ? '*' : many ? '+' : none ? '?' : '');
}

/** After what takes up no character, such as an anchor: repeating it would be a mistake and no pattern. */
function withoutQuantifier(cursor: PatternCursor, item: string): string {
  if (isQuantifier(peek(cursor) ?? '')) throw refuseQuantifier(cursor);
  return item;
}

function refuseQuantifier(cursor: PatternCursor): PatternRefused {
  const written = peek(cursor) ?? '';
  const text = `Nothing stands before ${written} that can be repeated. Write \\${written} for the character.`;
  return new PatternRefused('malformed', cursor.at, text);
}

function isQuantifier(character: string): boolean {
  return character === '*' || character === '+' || character === '?';
}

function spellClass(letter: string): string {
  return `(?-i:[${spellClassMembers(letter)}])`;
}
