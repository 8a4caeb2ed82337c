/** Reads JSON that somebody else wrote. Guarantees that a text has one meaning for every reader (no repeated key, no `__proto__`) and that depth is bounded; it must never mend what it cannot read. */
import type { JsonValue } from '../json.ts';
import { LIMITS } from '../limits/limits.ts';
import { expect, type JsonCursor, NotStrictJson, placeOf, skipSpace, unexpected } from './json-reader.ts';
import { readNumber, readString, readWord } from './json-scalars.ts';

const MAX_DEPTH = LIMITS['settings-depth'].value;

export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly text: string; readonly line: number; readonly column: number };

export function readStrictJson(text: string): JsonReading {
  const cursor: JsonCursor = { text, at: 0 };
  try {
    const value = readValue(cursor, 0);
    skipSpace(cursor);
    if (cursor.at < text.length) throw new NotStrictJson(cursor.at, 'something follows the end of the value');
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof NotStrictJson)) throw error;
    const { line, column } = placeOf(text, error.at);
    return { ok: false, text: `line ${line}, column ${column}: ${error.message}`, line, column };
  }
}

function readValue(cursor: JsonCursor, depth: number): JsonValue {
  skipSpace(cursor);
  const next = cursor.text[cursor.at] ?? '';
  if ((next === '{' || next === '[') && depth >= MAX_DEPTH) {
    throw new NotStrictJson(cursor.at, `values are nested deeper than ${MAX_DEPTH} levels`);
  }
  if (next === '{') return readObject(cursor, depth + 1);
  if (next === '[') return readArray(cursor, depth + 1);
  if (next === '"') return readString(cursor);
  return next === 't' || next === 'f' || next === 'n' ? readWord(cursor) : readNumber(cursor);
}

function readArray(cursor: JsonCursor, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  readMembers(cursor, '[', ']', 'a list', () => items.push(readValue(cursor, depth)));
  return items;
}

function readObject(cursor: JsonCursor, depth: number): Record<string, JsonValue> {
  const object: Record<string, JsonValue> = {};
  readMembers(cursor, '{', '}', 'an object', () => {
    const at = cursor.at;
    const key = readString(cursor);
    if (key === '__proto__') throw new NotStrictJson(at, 'a key is __proto__, which readers take for different things');
    if (Object.hasOwn(object, key))
      throw new NotStrictJson(at, `the key ${JSON.stringify(key.slice(0, 64))} is there twice`);
    skipSpace(cursor);
    expect(cursor, ':', 'a key');
    object[key] = readValue(cursor, depth);
  });
  return object;
}

/** Members between `open` and `close`, one comma between two and none after the last. */
function readMembers(cursor: JsonCursor, open: string, close: string, what: string, readMember: () => void): void {
  expect(cursor, open, what);
  skipSpace(cursor);
  if (cursor.text[cursor.at] === close) {
    cursor.at += 1;
    return;
  }
  for (;;) {
    skipSpace(cursor);
    readMember();
    skipSpace(cursor);
    if (cursor.text[cursor.at] === close) break;
    if (cursor.text[cursor.at] !== ',') throw unexpected(cursor, `${what} needs a comma or ${close} here`);
    cursor.at += 1;
  }
  cursor.at += 1;
}
