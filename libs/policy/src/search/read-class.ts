/** A class in brackets. Guarantees that a range goes forwards and that brackets of other dialects are named; it must never read a class that nobody closed. */
import { peek, type PatternCursor, takeIf } from './pattern-cursor.ts';
import { readEscape } from './read-escape.ts';
import { PatternRefused } from './refusal.ts';
import { spellCharacter, spellClassMembers } from './write-expression.ts';

/** One member as written: a character that may begin or end a range, or a class that may not. */
type Member = { readonly character: string } | { readonly letter: string };

/** Reads from the opening bracket to the closing one and spells it for the engine. */
export function readClass(cursor: PatternCursor): string {
  const begun = cursor.at;
  cursor.at += 1;
  const negated = takeIf(cursor, '^');
  let members = '';
  // A closing bracket in first place is a member, as everywhere.
  for (let first = true; first || peek(cursor) !== ']'; first = false) members += readRange(cursor, begun);
  cursor.at += 1;
  return `[${negated ? '^' : ''}${members}]`;
}

function readRange(cursor: PatternCursor, begun: number): string {
  const at = cursor.at;
  const from = readMember(cursor, begun);
  const isRange = peek(cursor) === '-' && peek(cursor, 1) !== ']' && peek(cursor, 1) !== undefined;
  if ('letter' in from) return spellClassMembers(from.letter);
  if (!isRange) return spellCharacter(from.character);
  cursor.at += 1;
  const to = readMember(cursor, begun);
  // No range ends in a class: its first character, the hyphen and the class are members each by itself.
  if ('letter' in to) return `${spellCharacter(from.character)}${spellCharacter('-')}${spellClassMembers(to.letter)}`;
  if (codeOf(from.character) > codeOf(to.character)) {
    throw new PatternRefused('malformed', at, 'A range runs backwards. Write the smaller character first.');
  }
  return `${spellCharacter(from.character)}-${spellCharacter(to.character)}`;
}

function readMember(cursor: PatternCursor, begun: number): Member {
  const character = peek(cursor);
  if (character === undefined) {
    throw new PatternRefused('malformed', begun, 'A [ is never closed. Add the ], or write \\[ for the character.');
  }
  if (character === '\\') {
    const escape = readEscape(cursor, true);
    return escape.kind === 'literal' ? { character: escape.character } : { letter: escape.letter };
  }
  if (character === '[' && isNamedClass(cursor)) {
    throw new PatternRefused(
      'malformed',
      cursor.at,
      'Named classes like [:alpha:] do not exist here. Write the range, for example a-z.',
    );
  }
  cursor.at += 1;
  return { character };
}

/** `[:name:]` from here on. */
function isNamedClass(cursor: PatternCursor): boolean {
  if (peek(cursor, 1) !== ':') return false;
  let ahead = 2;
  while (/^[a-z^]$/.test(peek(cursor, ahead) ?? '')) ahead += 1;
  return ahead > 2 && peek(cursor, ahead) === ':' && peek(cursor, ahead + 1) === ']';
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
