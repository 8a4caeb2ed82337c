import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonRefused, parseStrictJson } from './parse-strict-json.ts';

const limits = { maxDepth: 8, maxBytes: 10_000 };

describe('JSON from an agent [hostile.messages]', () => {
  it.each([
    ['the same name twice', '{"a":1,"a":2}'],
    ['the same name twice in another spelling', '{"a":1,"\\u0061":2}'],
    ['the same name twice further in', '[{"x":{"a":1,"b":[{"c":1}],"a":2}}]'],
    ['__proto__', '{"a":{"__proto__":{"admin":true}}}'],
    ['__proto__ in another spelling', '{"\\u005f_proto__":1}'],
    ['nesting', '['.repeat(9) + ']'.repeat(9)],
    ['size', `"${'x'.repeat(10_000)}"`],
    ['broken text', '{"a":'],
    ['two values', '{} {}'],
    ['half a surrogate pair', '{"a":"x\\ud800"}'],
    ['half a surrogate pair in a name', '{"\\uDFFFx":1}'],
    ['two halves the wrong way round', '["\\ude00\\ud83d"]'],
  ])('is refused for %s', (_, text) => {
    expect(() => parseStrictJson(text, limits)).toThrow(JsonRefused);
  });

  it.each([
    ['a key as a value', '{"a":"a","b":["a","a"]}'],
    ['the same name in different objects', '[{"a":1},{"a":2},{"b":{"a":1},"a":3}]'],
    ['brackets and quotes inside texts', '{"a":"}{][,\\"","b":"{\\"a\\":1,\\"a\\":2}"}'],
    ['nesting up to the limit', '['.repeat(8) + ']'.repeat(8)],
    ['a whole surrogate pair', '{"\\ud83d\\ude00":"\\uD83D\\uDE00 \\\\ud800"}'],
    ['an empty object and array', '{"a":{},"b":[]}'],
  ])('keeps %s', (_, text) => {
    expect(parseStrictJson(text, limits)).toEqual(JSON.parse(text));
  });

  it('gives what JSON.parse gives for every value that it accepts', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        let strict: unknown;
        try {
          strict = parseStrictJson(text, { maxDepth: 32, maxBytes: 1_000_000 });
        } catch (error) {
          expect(error).toBeInstanceOf(JsonRefused);
          return;
        }
        expect(strict).toEqual(JSON.parse(text));
      }),
    );
  });
});
