import fc from 'fast-check';
import { readSearchPattern } from '../index.ts';

/** What the dialect and the language's own engine both have and read alike; short, so that backtracking costs nothing. */
const { pattern } = fc.letrec<{ pattern: string; item: string; atom: string }>((tie) => ({
  pattern: fc.array(tie('item'), { maxLength: 3 }).map((items) => items.join('')),
  item: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '*?'))
    .map(([atom, quantifier]) => atom + quantifier),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .constantFrom(
        'a',
        'b',
        'é',
        '.',
        '-',
        ',',
        '[ab]',
        '[^a]',
        '[a-c]',
        '[]',
        '\\d',
        '\\w',
        '\\W',
        '\\s',
        '\\.',
        '[\\d-]',
        '\\{',
      )
      .filter((atom) => atom !== '[]'),
    tie('pattern').map((inside) => `(${inside})`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
    fc.tuple(fc.constantFrom('i', '-i'), tie('pattern')).map(([flag, inside]) => `(?${flag}:${inside})`),
  ),
}));
const line = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', 'é', '1', ' ', '-', ',', '.', '{'), maxLength: 6 });

function matches(written: string | readonly string[], text: string, caseSensitive = true): boolean | string {
  const reading = readSearchPattern(written, { caseSensitive });
  return reading.ok ? reading.pattern.matches(text) : reading.refusal.reason;
}

describe('search patterns', () => {
  it('match what the language itself matches, where both have the construct', () => {
    fc.assert(
      fc.property(pattern, line, fc.boolean(), (written, text, caseSensitive) => {
        const own = new RegExp(written, caseSensitive ? 'u' : 'iu');
        expect(matches(written, text, caseSensitive)).toBe(own.test(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('are read or refused with a reason and a sentence, whatever was written', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(
          '(',
          ')',
          '[',
          ']',
          '?',
          '*',
          '\\',
          '<',
          'P',
          '=',
          '!',
          'i',
          '-',
          ':',
          'a',
          '^',
          '1',
          '{',
          '|',
        ),
        maxLength: 30,
      }),
    );
    fc.assert(
      fc.property(anything, line, (written, text) => {
        const reading = readSearchPattern(written);
        if (reading.ok) expect(typeof reading.pattern.matches(text)).toBe('boolean');
        else expect(reading.refusal.text).toMatch(/\.$/);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['(?<name>a)', 'named-group'],
    ["(?'name'a)", 'named-group'],
    ['(?<!a)b', 'lookaround'],
    ['(?P=name)', 'backreference'],
    ['\\k<name>', 'backreference'],
    ['(a)\\10', 'backreference'],
    ['(?-s)a', 'flag'],
    ['(?x:a)', 'flag'],
    ['(?i-m:a)', 'flag'],
    ['(?>a)', 'malformed'],
    ['(?#note)', 'malformed'],
    ['(?i', 'malformed'],
    ['a|*b', 'malformed'],
    ['(+a)', 'malformed'],
    ['(?i)+', 'malformed'],
    ['^*a', 'malformed'],
    ['a$+', 'malformed'],
    ['\\b?', 'malformed'],
    ['\\z', 'malformed'],
    ['\\pL', 'malformed'],
    ['[\\b]', 'malformed'],
    ['[]', 'malformed'],
    ['[^]', 'malformed'],
    ['[[:alpha:]]', 'malformed'],
    ['\ud800', 'malformed'],
    ['((((((((((((((((((((((((((((((((((((((((((((((((((((((a', 'too-deep'],
  ])('refuse %s as %s', (written, reason) => {
    expect(matches(written, 'a')).toBe(reason);
  });

  it.each([
    ['[]a]', ']', true],
    ['[[:]', ':', true],
    ['[a-c-e]', '-', true],
    ['x{,3}', 'x{,3}', true],
    ['a+?$', 'aaa', true],
    ['^.$', '\u{1f600}', true],
    ['^[\u{1f600}-\u{1f602}]$', '\u{1f601}', true],
    ['a|', 'zz', true],
    ['', '', true],
    ['a$', 'a\nb', false],
    ['a.b', 'a\nb', false],
    ['a\\tb', 'a\tb', true],
    ['[\\t]', '\t', true],
    ['^[a-\\d]$', '-', true],
    ['^[a-\\d]$', '7', true],
    ['^[a-\\d]$', 'b', false],
    ['^a**$', 'aaa', true],
    ['^a?+$', '', true],
    ['^a++$', '', false],
    ['^a+?$', '', false],
    ['^(^)*a', 'a', true],
    ['\\/\\-\\"', '/-"', true],
  ])('%s on %j', (written, text, holds) => {
    expect(matches(written, text)).toBe(holds);
  });

  it('keep classes as they are where case is ignored', () => {
    expect(['\\W', '[\\W]', '\\D', '\\S'].map((written) => matches(`^${written}$`, 'k', false))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('name which entry of a list is refused, and where', () => {
    const reading = readSearchPattern(['fine', 'ab(?=c)']);
    expect(reading).toMatchObject({ ok: false, refusal: { reason: 'lookaround', pattern: 1, at: 2 } });
    expect(matches([], 'a')).toBe('malformed');
    expect(matches(Array(101).fill('a'), 'a')).toBe('too-long');
  });

  it('count characters and not their halves', () => {
    expect(matches('\u{1f600}'.repeat(1000), 'a')).toBe(false);
    expect(matches('\u{1f600}'.repeat(1001), 'a')).toBe('too-long');
    expect(matches('a'.repeat(10_000_000), 'a')).toBe('too-long');
  });
});
