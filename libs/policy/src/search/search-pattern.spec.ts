import fc from 'fast-check';
import { readSearchPattern } from '../index.ts';

/**
 * One pattern as it is written, and what it comes to for the language's own engine where case counts and where it does not.
 * Flags inside a pattern are never shown to that engine: once a process has compiled some 16 MB of expressions, V8 compiles
 * further ones without optimizing (as under `--no-regexp-optimization`), and then answers as if `(?i:` and `(?-i:` were not
 * there: `/(?i:(a+))/u.test('A')` is false.
 */
interface Spelling {
  readonly written: string;
  readonly cased: string;
  readonly uncased: string;
}

const alike = (written: string): Spelling => ({ written, cased: written, uncased: written });

/** `then` builds each of the three from its own parts. */
const combine = (parts: readonly Spelling[], then: (parts: readonly string[]) => string): Spelling => ({
  written: then(parts.map(({ written }) => written)),
  cased: then(parts.map(({ cased }) => cased)),
  uncased: then(parts.map(({ uncased }) => uncased)),
});

const ATOMS: readonly Spelling[] = [
  { written: 'a', cased: 'a', uncased: '[aA]' },
  { written: 'b', cased: 'b', uncased: '[bB]' },
  { written: 'B', cased: 'B', uncased: '[bB]' },
  { written: 'é', cased: 'é', uncased: '[éÉ]' },
  { written: '[ab]', cased: '[ab]', uncased: '[abAB]' },
  { written: '[^a]', cased: '[^a]', uncased: '[^aA]' },
  { written: '[a-c]', cased: '[a-c]', uncased: '[a-cA-C]' },
  ...['.', '-', ',', '\\d', '\\w', '\\W', '\\s', '\\.', '[\\d-]', '\\{'].map(alike),
];

/** What the dialect and the language's own engine both have and read alike; short, so that backtracking costs nothing. */
const { pattern } = fc.letrec<{ pattern: Spelling; item: Spelling; atom: Spelling }>((tie) => ({
  pattern: fc.array(tie('item'), { maxLength: 3 }).map((items) => combine(items, (parts) => parts.join(''))),
  item: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '*?'))
    .map(([atom, quantifier]) => combine([atom], ([part]) => `${part}${quantifier}`)),
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...ATOMS),
    tie('pattern').map((inside) => combine([inside], ([part]) => `(${part})`)),
    fc.tuple(tie('pattern'), tie('pattern')).map((sides) => combine(sides, ([left, right]) => `(?:${left}|${right})`)),
    fc.tuple(fc.boolean(), tie('pattern')).map(([ignoring, { written, cased, uncased }]) => {
      const inside = `(?:${ignoring ? uncased : cased})`;
      return { written: `(?${ignoring ? 'i' : '-i'}:${written})`, cased: inside, uncased: inside };
    }),
  ),
}));
const line = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', 'B', 'é', 'É', '1', ' ', '-', ',', '.', '{'),
  maxLength: 6,
});

function matches(written: string | readonly string[], text: string, caseSensitive = true): boolean | string {
  const reading = readSearchPattern(written, { caseSensitive });
  return reading.ok ? reading.pattern.matches(text) : reading.refusal.reason;
}

describe('search patterns', () => {
  it('match what the language itself matches, where both have the construct', () => {
    fc.assert(
      fc.property(pattern, line, fc.boolean(), ({ written, cased, uncased }, text, caseSensitive) => {
        const own = new RegExp(caseSensitive ? cased : uncased, 'u');
        expect(matches(written, text, caseSensitive)).toBe(own.test(text));
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    ['(?i:(a+))', 'A', true, true],
    ['((a))+(?-i:(?:|a)+)*?', 'A', false, true],
    ['((a))+(?-i:(?:|a)+)*?', 'A', true, false],
    ['(?i:a(?-i:b))', 'Ab', true, true],
    ['(?i:a(?-i:b))', 'AB', false, false],
  ])('%s on %s, case sensitive %s: %s', (written, text, caseSensitive, holds) => {
    expect(matches(written, text, caseSensitive)).toBe(holds);
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
