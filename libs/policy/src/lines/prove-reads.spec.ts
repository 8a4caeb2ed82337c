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
  ])('proves nothing where it %s', (_what, file) => {
    expect(readsOf('wc a', { workspace: '/w', resolve: () => file })).toBeUndefined();
  });

  it('proves nothing away from the root', () => {
    expect(readsOf('wc a', { ...installed, directory: 'sub' })).toBeUndefined();
    expect(readsOf('wc a', { ...installed, directory: '.' })).toEqual(['a']);
  });

  it('knows no inside where the workspace is unknown', () => {
    expect(readsOf('wc /w/a', { resolve: installed.resolve })).toBeUndefined();
  });

  it('proves nothing of no step', () => {
    expect(proveReads({ steps: [], connectors: [] }, installed)).toBeUndefined();
  });
});
