import { compileRules } from './compile-rules.ts';
import { canonicalPath, spellingsOf } from './spell-path.ts';

describe('the spellings of a file', () => {
  it.each([
    ['a/./b//c', ['a/b/c', '/w/s/a/b/c']],
    ['/w/s/a', ['a', '/w/s/a']],
    ['/w//s/./a', ['a', '/w/s/a']],
    ['/w/s', ['.', '/w/s']],
    ['.', ['.', '/w/s']],
    ['/w/st/a', ['/w/st/a']],
    ['/etc/x', ['/etc/x']],
    ['/w/s/../x', ['/w/s/../x']],
    ['../x', ['../x', '/w/s/../x']],
  ])('%s: %j', (path, spellings) => {
    expect(spellingsOf(path, '/w/s')).toEqual(spellings);
    expect(canonicalPath(path, '/w/s')).toBe(spellings[0]);
  });

  it('reach a rule that restricts, however rule and call are written', () => {
    const { judge } = compileRules([{ layer: 'user', deny: ['Read(//w/s/secret)', 'Read(./keys/**)'] }], {
      caseFolding: 'unknown',
      platform: 'posix',
    });
    const verdictOf = (path: string): string =>
      judge({ family: 'Read', path: canonicalPath(path, '/w/s'), spellings: spellingsOf(path, '/w/s') }).verdict;
    expect(
      ['secret', '/w/s/secret', 'keys/a', '/w/s/keys/a', '../secret', 'x/../secret', '/w/s/x/../secret'].map(verdictOf),
    ).toEqual(['deny', 'deny', 'deny', 'deny', 'none', 'deny', 'deny']);
  });
});
