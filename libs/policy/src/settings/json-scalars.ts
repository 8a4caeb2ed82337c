/** Strings, numbers and words of JSON. Guarantees the grammar of RFC 8259 to the letter; it must never produce half of a surrogate pair or a number that is not finite. */
import { expect, type JsonCursor, NotStrictJson, unexpected } from './json-reader.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

export function readString(cursor: JsonCursor): string {
  const begun = cursor.at;
  expect(cursor, '"', 'a string');
  const pieces: string[] = [];
  for (;;) {
    const character = cursor.text[cursor.at];
    if (character === undefined) throw unexpected(cursor, 'a string begun earlier needs its closing "');
    if (character < ' ')
      throw new NotStrictJson(cursor.at, 'a string holds a control character or a line break; write it as an escape');
    cursor.at += 1;
    if (character === '"') break;
    pieces.push(character === '\\' ? readEscape(cursor) : character);
  }
  const text = pieces.join('');
  if (!text.isWellFormed()) throw new NotStrictJson(begun, 'a string holds half of a surrogate pair');
  return text;
}

function readEscape(cursor: JsonCursor): string {
  const letter = cursor.text[cursor.at] ?? '';
  if (letter === 'u') {
    const digits = cursor.text.slice(cursor.at + 1, cursor.at + 5);
    if (!/^[\da-fA-F]{4}$/.test(digits)) throw new NotStrictJson(cursor.at - 1, '\\u needs four hexadecimal digits');
    cursor.at += 5;
    return String.fromCharCode(parseInt(digits, 16));
  }
  const meant = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  if (meant === undefined) throw new NotStrictJson(cursor.at - 1, 'a backslash is followed by no escape JSON has');
  cursor.at += 1;
  return meant;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

export function readNumber(cursor: JsonCursor): number {
  NUMBER.lastIndex = cursor.at;
  const written = NUMBER.exec(cursor.text)?.[0];
  if (written === undefined) throw unexpected(cursor, 'a value is needed here');
  const value = Number(written);
  if (!Number.isFinite(value)) throw new NotStrictJson(cursor.at, 'a number is too large');
  cursor.at += written.length;
  return value;
}

export function readWord(cursor: JsonCursor): boolean | null {
  for (const [word, value] of [
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const) {
    if (cursor.text.startsWith(word, cursor.at)) {
      cursor.at += word.length;
      return value;
    }
  }
  throw unexpected(cursor, 'a value is needed here');
}
