import { compileLine } from './compile-line.ts';
import { proveReads, type ProofContext } from './prove-reads.ts';

const installed: ProofContext = { workspace: '/w', resolve: (name) => `/usr/bin/${name}` };

function readsOf(line: string, context: ProofContext = installed): readonly string[] | undefined {
  const compiled = compileLine(line, { isProgram: () => true, home: '/home/me' });
  return 'plan' in compiled ? proveReads(compiled.plan, context) : undefined;
}

describe('proven', () => {
  it.each([
    ['head -n 5 a', ['a']],
    ['head -20 a', ['a']],
    ['head -qn 5 a', undefined],
    ['tail -n', undefined],
    ['tail --lines=3 a', ['a']],
    ['tail -f a', undefined],
    ['tail -qf a', undefined],
    ['cut -d: -f1 -', []],
    ['cut -d , -f 2 a', ['a']],
    ['cut --complement=x a', undefined],
    ['grep -in x a', ['a']],
    ['grep -ir x src lib', ['src', 'lib']],
    ['grep -ir x', undefined],
    ['grep -r x -', undefined],
    ['grep --recursive x src', ['src']],
    ['grep -A 1 x a', ['a']],
    ['grep -iA 1 x a', undefined],
    ['grep --include=*.c x a', undefined],
    ["grep '--include=*.c' -r x src", ['src']],
    ['grep x -- a', undefined],
    ['grep -- x -- a', ['--', 'a']],
    ['wc -- -l', ['-l']],
    ['wc --files0-from=x', undefined],
    ["wc ''", undefined],
    ['wc /w/a', ['/w/a']],
    ['wc /w2/a', undefined],
    ['wc ./a', ['./a']],
    ['tr -d x', []],
    ['basename a .c', []],
    ['basename a b c', undefined],
    ['dirname a/b', []],
    ['dirname -x a', undefined],
    ['pwd -P', []],
    ['pwd x', undefined],
    ['wc a 2>&1', undefined],
    ['uniq a', undefined],
    ['head -2x a', undefined],
    ['head -x2 a', undefined],
    ['head -- -2', ['-2']],
    ['head -9 a', ['a']],
    ['head -0 a', ['a']],
    ['head -.5 a', undefined],
    ['head -/ a', undefined],
    ['head -5: a', undefined],
    ['wc -5 a', undefined],
    ['grep -2 x a', ['a']],
    ['grep -i -10 x a', ['a']],
    ['cut -2 a', undefined],
    ['tail --lines 3 a', ['a']],
    ['tail --lines', undefined],
    ['tail --quiet=x a', undefined],
    ['grep --max-count 2 x a', ['a']],
    ['grep --recursive x', undefined],
    ['grep --recursive=x x a', undefined],
    ['grep -rx y', undefined],
    ['grep -xr y a', ['a']],
    ["grep --exclude '*.c' x a", ['a']],
    ['wc /w/./a', ['/w/./a']],
    ['wc //w//a', ['//w//a']],
    ['wc /a/w/b', undefined],
    ['wc /', undefined],
    ['tr a b', []],
    ['tr a b c', undefined],
    ['basename -a a', []],
    ['basename -s .c a', []],
    ['basename --suffix=.c a', undefined],
    ['dirname a b', undefined],
    ['cut --output-delimiter , -s -f 1 a', ['a']],
    ['cut -n --complement --only-delimited --fields 1 -', []],
    ['dd', undefined],
  ])('%s: %j', (line, reads) => {
    expect(readsOf(line)).toEqual(reads);
  });
});

describe('the program behind a name', () => {
  it.each([
    ['is unknown', undefined],
    ['has another name', '/usr/bin/busybox'],
    ['has no place', 'wc'],
    ['is the project’s', '/w/bin/wc'],
    ['is reached by going up', '/usr/../w/bin/wc'],
    ['is the project’s, spelled with a dot', '/./w/bin/wc'],
    ['is the project’s, spelled with slashes', '//w///bin/wc'],
  ])('proves nothing where it %s', (_what, file) => {
    expect(readsOf('wc a', { workspace: '/w', resolve: () => file })).toBeUndefined();
  });

  it('proves nothing away from the root', () => {
    expect(readsOf('wc a', { ...installed, directory: 'sub' })).toBeUndefined();
    for (const directory of ['.', './', '']) expect(readsOf('wc a', { ...installed, directory })).toEqual(['a']);
  });

  it('knows the workspace however its root is spelled', () => {
    for (const workspace of ['/w/', '/./w', '//w', '/w/.']) {
      expect(readsOf('wc /w/a', { ...installed, workspace })).toEqual(['/w/a']);
      expect(readsOf('wc a', { workspace, resolve: () => '/w/bin/wc' })).toBeUndefined();
    }
  });

  it('knows no inside where the workspace is unknown', () => {
    expect(readsOf('wc /w/a', { resolve: installed.resolve })).toBeUndefined();
  });

  it('proves nothing of no step', () => {
    expect(proveReads({ steps: [], connectors: [] }, installed)).toBeUndefined();
  });
});

describe('every option of the table', () => {
  const rows = {
    wc: '-c -l -m -w -L --bytes --chars --lines --words --max-line-length',
    head: '-q -v --quiet --silent --verbose',
    tail: '-q -v --quiet --silent --verbose',
    cut: '-s -n --complement --only-delimited',
    grep:
      '-i -v -n -c -l -L -o -q -s -h -H -w -x -a -b -E -F -G -P --ignore-case --invert-match --line-number --count ' +
      '--files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --no-filename ' +
      '--with-filename --word-regexp --line-regexp --text --byte-offset --extended-regexp --fixed-strings ' +
      '--basic-regexp --perl-regexp',
  };
  const valued = {
    head: '-c -n --bytes --lines',
    tail: '-c -n --bytes --lines',
    cut: '-b -c -f -d --bytes --characters --fields --delimiter --output-delimiter',
    grep: '-A -B -C -m --after-context --before-context --max-count --include --exclude',
  };
  const rest = (name: string): string => (name === 'grep' ? 'x a' : 'a');
  const optionsOf = (table: Record<string, string>) =>
    Object.entries(table).flatMap(([name, words]) => words.split(' ').map((option) => [name, option] as const));

  it.each(optionsOf(rows))('%s %s changes nothing about what is read', (name, option) => {
    expect(readsOf(`${name} ${option} ${rest(name)}`)).toEqual(['a']);
  });

  it.each(optionsOf(valued))('%s %s takes the next word for its value', (name, option) => {
    expect(readsOf(`${name} ${option} 1 ${rest(name)}`)).toEqual(['a']);
    expect(readsOf(`${name} ${option}`)).toBeUndefined();
  });

  it.each(['-c', '-C', '-d', '-s', '-t', '-u', '--complement', '--delete', '--squeeze-repeats', '--truncate-set1'])(
    'tr %s reads no file',
    (option) => {
      expect(readsOf(`tr ${option} a b`)).toEqual([]);
    },
  );

  it.each(['-e x', '-f x', '-R x', '-S x', '-d skip x', '-D skip x', '--color x', '--context 1 x', '--file=x'])(
    'grep %s is left out',
    (options) => {
      expect(readsOf(`grep ${options} a`)).toBeUndefined();
    },
  );

  it.each(['sed p', 'awk 1', 'sort', 'uniq', 'tee', 'dd', 'xargs', 'find', 'git log', 'cat', 'ls', 'constructor'])(
    '%s is no program that is proven',
    (call) => {
      expect(readsOf(`${call} a`)).toBeUndefined();
    },
  );

  it.each(['pwd -L', 'pwd -P', 'dirname a', 'basename a', 'basename -a a', 'basename a .c'])('%s', (line) => {
    expect(readsOf(line)).toEqual([]);
  });
});
