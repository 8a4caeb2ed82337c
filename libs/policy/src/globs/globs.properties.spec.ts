import fc from 'fast-check';
import { compileGlob } from '../index.ts';
import { expandBraces } from './expand-braces.ts';

const hostile = fc.string({
  unit: fc.constantFrom('*', '**', '?', 'a', 'b', '/', '**/', '{', '}', ',', '[', '\\'),
  maxLength: 40,
});
const path = fc
  .array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u{1f600}', '*'), minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((segments) => segments.join('/'));
const plainText = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '[', ']', '(', '+', '!', '\\', '^', '$', '}'),
  minLength: 1,
  maxLength: 12,
});

/** The dialect once more, in the plainest way there is: try everything. Only for short words. */
function naive(
  glob: readonly string[],
  text: readonly string[],
  isRun: (item: string) => boolean,
  fits: (item: string, other: string) => boolean,
): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return text.length === 0;
  if (isRun(first))
    return Array.from({ length: text.length + 1 }, (_, at) => at).some((at) =>
      naive(rest, text.slice(at), isRun, fits),
    );
  return text.length > 0 && fits(first, text[0] ?? '') && naive(rest, text.slice(1), isRun, fits);
}
const naiveSegment = (glob: string, name: string): boolean =>
  naive(
    [...glob],
    [...name],
    (item) => item === '*',
    (item, other) => item === '?' || item === other,
  );
const naiveWord = (word: string, whole: string): boolean =>
  word.includes('/')
    ? naive(word.split('/'), whole.split('/'), (item) => item === '**', naiveSegment)
    : naiveSegment(word, whole.split('/').at(-1) ?? '');

describe('globs', () => {
  it('select what trying everything would select', () => {
    const short = fc.string({
      unit: fc.constantFrom('*', '?', 'a', 'b', '/', '**/', '/**'),
      minLength: 1,
      maxLength: 7,
    });
    fc.assert(
      fc.property(short, path, (glob, whole) => compileGlob(glob).selects(whole) === naiveWord(glob, whole)),
      { numRuns: 3_000 },
    );
  });

  it('[policy.linear] cost no more than their length times the path', () => {
    fc.assert(
      fc.property(hostile, path, fc.constantFrom('', 'a', 'a/b'), (glob, whole, directory) => {
        const meter = { steps: 0 };
        compileGlob(glob).selects(whole, directory, meter);
        const { words } = expandBraces(glob);
        expect(meter.steps).toBeLessThanOrEqual(2 * words.length * (glob.length + 2) * (whole.length + 2));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['stars', '*a'.repeat(40) + 'b', 'a'.repeat(4_000)],
    ['stars across segments', '**/a/'.repeat(40) + 'b', 'a/'.repeat(2_000) + 'c'],
    ['both', '**/*a*a*a/'.repeat(20) + 'b', 'aaaaaaaa/'.repeat(500) + 'c'],
  ])('are not driven past that by %s', (_name, glob, whole) => {
    const meter = { steps: 0 };
    expect(compileGlob(glob).selects(whole, '', meter)).toBe(false);
    expect(meter.steps).toBeLessThanOrEqual(2 * (glob.length + 2) * (whole.length + 2));
  });

  it('mean themselves where they hold no wildcard and no group', () => {
    fc.assert(
      fc.property(plainText, plainText, (glob, name) => {
        expect(compileGlob(glob).selects(name)).toBe(glob === name);
        expect(compileGlob(glob).selects(`deep/${glob}`)).toBe(true);
      }),
    );
  });

  it('stand for at most 64 words, and for themselves past that', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', ',', 'a', '{a,b}'), maxLength: 60 }), (pattern) => {
        const { words, tooMany } = expandBraces(pattern);
        expect(words.length).toBeLessThanOrEqual(64);
        if (tooMany) expect(words).toEqual([pattern]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('take 65 words and a wildcard literally, and say so', () => {
    const many = `*{${Array.from({ length: 65 }, (_, at) => `w${at}`).join(',')}}`;
    expect([compileGlob(many).tooManyWords, compileGlob(many).selects('xw3'), compileGlob(many).selects(many)]).toEqual(
      [true, false, true],
    );
  });

  it.each([
    ['[ab].rs', ['class']],
    ['[].rs', []],
    ['a[b/c].rs', []],
    ['!*.rs', ['negation']],
    ['a!.rs', []],
    ['+(a|b)', ['extended-group']],
    ['a(1).txt', []],
    ['f{01..10..2}', ['range']],
    ['f{a..e}', ['range']],
    ['f{a,b}', []],
    ['.*\\.rs', []],
  ])('%s leans on %j', (pattern, unsupported) => {
    expect(compileGlob(pattern).unsupported).toEqual(unsupported);
  });

  it('are written from the directory or from the root, and from nowhere else', () => {
    const glob = compileGlob('src/*.rs');
    expect(['.', './', '', 'core/', './core', 'core'].map((directory) => glob.selects('src/a.rs', directory))).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(
      ['core', 'core/', './core', 'cor', '.'].map((directory) => glob.selects('core/src/a.rs', directory)),
    ).toEqual([true, true, true, false, false]);
  });
});
