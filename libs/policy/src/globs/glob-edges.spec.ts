import { compileGlob } from '../index.ts';
import { expandBraces } from './expand-braces.ts';

const wordsOf = (pattern: string): readonly string[] => expandBraces(pattern).words;
const group = (count: number): string => `{${Array.from({ length: count }, (_, at) => `w${at}`).join(',')}}`;

describe('brace groups', () => {
  it.each([
    ['a', ['a']],
    ['', ['']],
    ['{a,b}', ['a', 'b']],
    ['{,a}b', ['b', 'ab']],
    ['x{a,b}y', ['xay', 'xby']],
    ['{a,b}x{c,d}y', ['axcy', 'axdy', 'bxcy', 'bxdy']],
    ['{a,{b,c}d}', ['a', 'bd', 'cd']],
    ['{{a,b},c}', ['a', 'b', 'c']],
    ['{{a,b}}', ['{a}', '{b}']],
    ['{a}', ['{a}']],
    ['{}', ['{}']],
    ['a,b', ['a,b']],
    ['a}b,c', ['a}b,c']],
    ['{a,b', ['{a,b']],
    ['{a,b,', ['{a,b,']],
    ['{a,{b,c', ['{a,{b,c']],
    ['{x,{a,b}', ['{x,a', '{x,b']],
    ['{x,{a,b}y', ['{x,ay', '{x,by']],
    ['{{a,b},{c,d}', ['{a,c', '{a,d', '{b,c', '{b,d']],
    ['{a,b}}', ['a}', 'b}']],
  ])('%s stands for %j', (pattern, words) => {
    expect(wordsOf(pattern)).toEqual(words);
  });

  it.each([
    ['one group', group(64), group(65)],
    ['a group inside another', `{x,${group(63)}}`, `{x,${group(64)}}`],
    ['groups side by side', '{a,b}'.repeat(6), '{a,b}'.repeat(7)],
    ['a group that is never closed', `{${group(8)},${group(8)}`, `{${group(8)},${group(9)}`],
  ])('are expanded up to 64 words, all of them text past that: %s', (_what, atMost, tooMany) => {
    expect([expandBraces(atMost).tooMany, new Set(wordsOf(atMost)).size]).toEqual([false, 64]);
    expect(expandBraces(tooMany)).toEqual({ words: [tooMany], tooMany: true });
  });

  it('that are too many are compared as any word is: by the last segment, or from the directory or the root', () => {
    const name = compileGlob(group(65));
    const below = compileGlob(`src/${group(65)}`);
    expect([name.selects(`deep/${group(65)}`), name.selects('deep/w1')]).toEqual([true, false]);
    expect([
      below.selects(`src/${group(65)}`),
      below.selects(`core/src/${group(65)}`, 'core'),
      below.selects(`core/src/${group(65)}`),
      below.selects(`src/${group(65)}`, 'src'),
      below.selects(group(65)),
      below.selects('src/w1'),
    ]).toEqual([true, true, false, true, false, false]);
  });
});

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['?', '', false],
    ['a?', 'a', false],
    ['a*', 'a', true],
    ['*a*b', 'xaxxb', true],
    ['*ab', 'aab', true],
    ['*a', 'ab', false],
    ['a*b*', 'acbc', true],
    ['**/a', 'a', true],
    ['**/a', 'x/y/a', true],
    ['**/a', 'x/ya', false],
    ['a/**', 'a', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/x/b/c', false],
    ['a/b', 'a/b/c', false],
    ['a/b/c', 'a/b', false],
    ['a/?', 'a/\u{1f600}', true],
    ['x**y', 'xzzy', true],
  ])('%s and the path %j: %j', (glob, path, selected) => {
    expect(compileGlob(glob).selects(path)).toBe(selected);
  });

  it('may be written from a directory whose name ends in a dot or that is spelled with a slash', () => {
    const glob = compileGlob('x/*.rs');
    expect(['a./b', 'a./b/', './a./b', 'a./'].map((directory) => glob.selects('a./b/x/c.rs', directory))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('is not written from a directory the path does not lie in', () => {
    const glob = compileGlob('x/*.rs');
    expect(['abc', 'abd', 'ab'].map((directory) => glob.selects('abc/x/c.rs', directory))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('counts every comparison it makes', () => {
    const meter = { steps: 0 };
    compileGlob('abc').selects('abc', '', meter);
    expect(meter.steps).toBeGreaterThanOrEqual(3);
    const first = meter.steps;
    compileGlob('a/b').selects('a/b', '', meter);
    expect(meter.steps).toBeGreaterThanOrEqual(first + 2);
  });
});

describe('syntax of other dialects', () => {
  it.each([
    ['[[]', ['class']],
    ['[]]', ['class']],
    ['a[b]', ['class']],
    ['ab]', []],
    ['abc]', []],
    ['[/]', []],
    ['a.rs!', []],
    ['!(a)', ['negation', 'extended-group']],
    ['@(a)', ['extended-group']],
    ['?(a)', ['extended-group']],
    ['*(a)', ['extended-group']],
    ['(a)', []],
    ['+(a', []],
    ['+a)', []],
    ['+(a) [b] {1..2} +(c) [d]', ['extended-group', 'class', 'range']],
    ['{1..3}', ['range']],
    ['{{1..3}', ['range']],
    ['{+1..-13}', ['range']],
    ['{-1..+3..-12}', ['range']],
    ['{1..3..+2}', ['range']],
    ['{A..Z..2}', ['range']],
    ['1..3}', []],
    ['{a}1..3}', []],
    ['x}1..3}', []],
    ['xx1..3}', []],
    ['{1..3', []],
    ['{1..}', []],
    ['{..3}', []],
    ['{1.3}', []],
    ['{x1..3}', []],
    ['{1..3x}', []],
    ['{1xx3}', []],
    ['{axxe}', []],
    ['{ab..c}', []],
    ['{a..bc}', []],
    ['{a..3}', []],
    ['{1..3..x}', []],
    ['{1..3xx2}', []],
    ['{1..3..2..}', []],
    [`{1..${'2'.repeat(61)}}`, ['range']],
    [`{1..${'2'.repeat(62)}}`, []],
  ])('%s leans on %j', (pattern, unsupported) => {
    expect(compileGlob(pattern).unsupported).toEqual(unsupported);
  });
});
