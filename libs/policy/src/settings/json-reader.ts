/** Where a JSON text is being read. Guarantees that every complaint names the line and column; it must never go on after one. */

/** The first thing wrong with a text; never leaves this folder. */
export class NotStrictJson extends Error {
  override readonly name = 'NotStrictJson';
  /** UTF-16 offset. */
  readonly at: number;
  constructor(at: number, text: string) {
    super(text);
    this.at = at;
  }
}

export interface JsonCursor {
  readonly text: string;
  at: number;
}

export function skipSpace(cursor: JsonCursor): void {
  while (' \t\n\r'.includes(cursor.text[cursor.at] ?? '?')) cursor.at += 1;
}

/** Steps over `token`, or refuses. */
export function expect(cursor: JsonCursor, token: string, where: string): void {
  if (!cursor.text.startsWith(token, cursor.at)) throw unexpected(cursor, `${where} needs ${token} here`);
  cursor.at += token.length;
}

export function unexpected(cursor: JsonCursor, needed: string): NotStrictJson {
  const end = cursor.at >= cursor.text.length;
  return new NotStrictJson(cursor.at, end ? `the text ends, but ${needed}` : needed);
}

/** Line and column from 1, as an editor counts them. */
export function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return { line, column: at - before.lastIndexOf('\n') };
}
