import fc from 'fast-check';
import { readStrictJson } from '../index.ts';

const why = (text: string): string => {
  const reading = readStrictJson(text);
  return reading.ok ? 'read' : reading.text;
};

describe('strict JSON', () => {
  it('reads what JSON says, as every reader does', () => {
    const value = fc
      .jsonValue({ depthSize: 'small', noUnicodeString: false })
      .filter((json) => !JSON.stringify(json).includes('__proto__'));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(json, undefined, indent);
        if (!text.isWellFormed() || /\\ud[89a-f]/i.test(text)) return;
        expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads nothing that JSON does not', () => {
    const nearly = fc.string({
      unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '-', '.', 'e', 'true', 'null', ' ', '\\', 'u', '0'),
      maxLength: 16,
    });
    fc.assert(
      fc.property(nearly, (text) => {
        if (!readStrictJson(text).ok) return;
        expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['{"a": 1,\n "a": 2}', 'line 2, column 2: the key "a" is there twice'],
    ['{"__proto__": {}}', 'line 1, column 2: a key is __proto__, which readers take for different things'],
    ['{"\\u005f_proto__": {}}', 'line 1, column 2: a key is __proto__, which readers take for different things'],
    ['"\\ud800"', 'line 1, column 1: a string holds half of a surrogate pair'],
    ['"\ud800"', 'line 1, column 1: a string holds half of a surrogate pair'],
    ['{"model": "sonnet" ', 'line 1, column 20: the text ends, but an object needs a comma or } here'],
    ['{"a": 1,}', 'line 1, column 9: a string needs " here'],
    ['{"a": 1e999}', 'line 1, column 7: a number is too large'],
    ['"\n"', 'line 1, column 2: a string holds a control character or a line break; write it as an escape'],
    ['{} x', 'line 1, column 4: something follows the end of the value'],
    ['', 'line 1, column 1: the text ends, but a value is needed here'],
    ['\ufeff{}', 'line 1, column 1: a value is needed here'],
    ['// note\n{}', 'line 1, column 1: a value is needed here'],
  ])('%j: %s', (text, said) => {
    expect(why(text)).toBe(said);
  });

  it('reads 64 levels, and refuses a hundred thousand without going into them', () => {
    expect(why('['.repeat(64) + ']'.repeat(64))).toBe('read');
    expect(why('['.repeat(65) + ']'.repeat(65))).toContain('deeper than 64 levels');
    expect(why('{"a":'.repeat(100_000))).toContain('deeper than 64 levels');
  });
});
