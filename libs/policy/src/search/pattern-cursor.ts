/** A place in a pattern, character by character. Guarantees that a character beyond the basic plane is one step; it must never run past the end. */

export interface PatternCursor {
  readonly characters: readonly string[];
  at: number;
}

export function peek(cursor: PatternCursor, ahead = 0): string | undefined {
  return cursor.characters[cursor.at + ahead];
}

/** Steps over `text` when the pattern goes on with it. */
export function takeIf(cursor: PatternCursor, text: string): boolean {
  for (let ahead = 0; ahead < text.length; ahead += 1) if (peek(cursor, ahead) !== text[ahead]) return false;
  cursor.at += text.length;
  return true;
}
