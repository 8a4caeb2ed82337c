/** What follows a backslash. Guarantees that only the dialect's escapes mean anything; an unknown letter must never quietly stand for itself. */
import { peek, type PatternCursor } from './pattern-cursor.ts';
import { PatternRefused } from './refusal.ts';

export type Escape =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'class'; readonly letter: string }
  | { readonly kind: 'boundary'; readonly letter: string };

/** Characters that are hard to see or to send when written as themselves. */
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

/** Reads an escape from its backslash on. Inside a class a boundary is nothing, and a digit is no backreference but no character either. */
export function readEscape(cursor: PatternCursor, inClass: boolean): Escape {
  const begun = cursor.at;
  cursor.at += 1;
  const next = peek(cursor);
  if (next === undefined)
    throw new PatternRefused('malformed', begun, 'A backslash at the end escapes nothing. Write \\\\ for a backslash.');
  cursor.at += 1;
  const control = Object.hasOwn(CONTROLS, next) ? CONTROLS[next] : undefined;
  if (control !== undefined) return { kind: 'literal', character: control };
  if ('dDwWsS'.includes(next)) return { kind: 'class', letter: next };
  if (!inClass && (next === 'b' || next === 'B')) return { kind: 'boundary', letter: next };
  if (!inClass && /^[1-9]$/.test(next)) throw refuseBackreference(begun, `\\${next}`);
  if (
    !inClass &&
    ((next === 'k' && "<{'".includes(peek(cursor) ?? ' ')) || (next === 'g' && /^[{<'\d-]$/.test(peek(cursor) ?? '')))
  ) {
    throw refuseBackreference(begun, `\\${next}`);
  }
  if (/^[A-Za-z0-9]$/.test(next)) {
    throw new PatternRefused(
      'malformed',
      begun,
      `\\${next} means nothing here. The escapes are \\d \\w \\s \\D \\W \\S \\b \\B \\t \\n \\r and a backslash before a sign; write any other character as itself.`,
    );
  }
  return { kind: 'literal', character: next };
}

export function refuseBackreference(at: number, written: string): PatternRefused {
  return new PatternRefused(
    'backreference',
    at,
    `${written} refers back to a group, which cannot be matched without backtracking. Write out what it should match.`,
  );
}
