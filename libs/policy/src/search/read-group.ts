/** What follows an opening parenthesis. Guarantees that every group the engine could not match in linear time, or the dialect does not have, is refused by its name. */
import { peek, type PatternCursor, takeIf } from './pattern-cursor.ts';
import { refuseBackreference } from './read-escape.ts';
import { PatternRefused } from './refusal.ts';

/** `opening` begins a group whose end is still to come; `flag` is a whole item by itself. Both are as the engine spells them. */
export type GroupStart = { readonly opening: string } | { readonly flag: string };

/** Reads `(`, `(?:`, `(?i:`, `(?-i:`, `(?i)` or `(?-i)`. */
export function readGroupStart(cursor: PatternCursor): GroupStart {
  const at = cursor.at;
  cursor.at += 1;
  // Nothing is ever captured, so the engine is not asked to.
  if (!takeIf(cursor, '?')) return { opening: '(?:' };
  if (takeIf(cursor, ':')) return { opening: '(?:' };
  if (takeIf(cursor, '=') || takeIf(cursor, '!') || takeIf(cursor, '<=') || takeIf(cursor, '<!')) {
    throw new PatternRefused(
      'lookaround',
      at,
      'Looking ahead or behind is not supported. Match the text itself; a search reports the whole line.',
    );
  }
  if (takeIf(cursor, 'P=')) throw refuseBackreference(at, '(?P=…)');
  if (takeIf(cursor, 'P<') || takeIf(cursor, '<') || takeIf(cursor, "'")) {
    throw new PatternRefused(
      'named-group',
      at,
      'Named groups are not supported, and nothing is captured. Write ( ) instead.',
    );
  }
  return readFlags(cursor, at);
}

function readFlags(cursor: PatternCursor, at: number): GroupStart {
  let written = '';
  for (let next = peek(cursor); next !== undefined && /^[A-Za-z^-]$/.test(next); next = peek(cursor)) {
    written += next;
    cursor.at += 1;
  }
  const end = peek(cursor);
  if (written === '' || (end !== ')' && end !== ':')) {
    throw new PatternRefused('malformed', at, 'A (? begins no group known here. Use (?:…), (?i:…) or (?i).');
  }
  if (written !== 'i' && written !== '-i') {
    throw new PatternRefused('flag', at, `The only flag is i, as (?i), (?-i), (?i:…) or (?-i:…).`);
  }
  cursor.at += 1;
  return end === ')' ? { flag: `(?${written})` } : { opening: `(?${written}:` };
}
