import { compileLine, sequenceOf } from './compile-line.ts';
import type { LineRefusalCode } from './line-plan.ts';

const files = ['b.rs', 'a.rs', 'src/c.rs', 'src/deep/d.rs', '.env', '.github/x.yml', 'node_modules/m/e.rs', 'ab', 'éa'];
const around = { files, home: '/home/me', isProgram: (name: string) => name !== 'gone' };

function argvOf(line: string): unknown {
  const compiled = compileLine(line, around);
  return 'plan' in compiled ? compiled.plan.steps.map((step) => step.argv) : compiled.refused.code;
}

describe('patterns', () => {
  it.each([
    ['ls ?.rs', ['ls', 'a.rs', 'b.rs']],
    ['ls ?a', ['ls', 'éa']],
    ['ls [a]?', ['ls', 'ab']],
    ['ls [!b].rs', ['ls', 'a.rs']],
    ['ls [^b].rs', ['ls', 'a.rs']],
    ['ls [a-c].rs', ['ls', 'a.rs', 'b.rs']],
    ['ls []a].rs', ['ls', 'a.rs']],
    ['ls "["a].rs', ['ls', '[a].rs']],
    ['ls [a', ['ls', '[a']],
    ['ls .*', ['ls', '.env', '.github']],
    ['ls ./*.rs', ['ls', './a.rs', './b.rs']],
    ['ls */*.rs', ['ls', 'src/c.rs']],
    ['ls **/*.rs', ['ls', 'a.rs', 'b.rs', 'src/c.rs', 'src/deep/d.rs']],
    ['ls **/**/d.rs', ['ls', 'src/deep/d.rs']],
    ['ls src/**', ['ls', 'src/c.rs', 'src/deep', 'src/deep/d.rs']],
    ['ls s**c', ['ls', 'src']],
    ['ls node_modules/*/*.rs', ['ls', 'node_modules/m/e.rs']],
    ['ls {b,a}.rs', ['ls', 'b.rs', 'a.rs']],
    ['ls {b,a}*.rs', ['ls', 'b.rs', 'a.rs']],
  ])('%s', (line, argv) => {
    expect(argvOf(line)).toEqual([argv]);
  });
});

describe('words', () => {
  it.each([
    ['echo {3..1}', ['echo', '3', '2', '1']],
    ['echo {-1..1}', ['echo', '-1', '0', '1']],
    ['echo {01..3}', ['echo', '01', '02', '03']],
    ['echo {a..c} {1..2..1} {1..}', ['echo', '{a..c}', '{1..2..1}', '{1..}']],
    ['echo a{,b}', ['echo', 'a', 'ab']],
    ['echo {a,{b}', ['echo', '{a,{b}']],
    ['echo {a,{b,c}', ['echo', '{a,b', '{a,c']],
    ['echo {"a,b",c}', ['echo', 'a,b', 'c']],
    ['echo ~ ~/x a~ "~"', ['echo', '/home/me', '/home/me/x', 'a~', '~']],
    ['echo {~/a,b}', ['echo', '/home/me/a', 'b']],
    ['echo "hi!" \\!', ['echo', 'hi!', '!']],
    ['echo # x', ['echo', '#', 'x']],
    ['ls ;', ['ls']],
    ['> out ls', ['ls']],
    ['git -C sub commit -am x', ['git', '-C', 'sub', 'commit', '-am', 'x']],
    ['git commit --amend --no-edit', ['git', 'commit', '--amend', '--no-edit']],
    ['git log --format=commit', ['git', 'log', '--format=commit']],
    ['ls /dev/pts', ['ls', '/dev/pts']],
    ['"FOO=bar" x', ['FOO=bar', 'x']],
  ])('%s', (line, argv) => {
    expect(argvOf(line)).toEqual([argv]);
  });
});

describe('refusals', () => {
  it.each<[string, LineRefusalCode]>([
    ['(ls)', 'Syntax'],
    ['f() { ls; }', 'Syntax'],
    ['case x in a) ls;; esac', 'ControlFlow'],
    ['{ ls; }', 'ControlFlow'],
    ['[[ -f a ]]', 'ControlFlow'],
    ['until x', 'ControlFlow'],
    ['ls; done', 'ControlFlow'],
    ['"if" x', 'ControlFlow'],
    ['trap x', 'Interpreter'],
    ['! ls', 'HistoryExpansion'],
    ['find . ! -name x', 'HistoryExpansion'],
    ['echo $', 'Variable'],
    ['echo "a$"', 'Variable'],
    ["echo $'a'", 'Variable'],
    ['echo "`x`"', 'CommandSubstitution'],
    ['echo "$((1))"', 'Arithmetic'],
    ['ls >| a', 'Syntax'],
    ['ls <> a', 'Syntax'],
    ['ls &>> a', 'Syntax'],
    ['ls |& wc', 'Background'],
    ['ls 1>&2', 'IoNumber'],
    ['ls 10> a', 'IoNumber'],
    ['ls <&0', 'Descriptor'],
    ['ls 2>&-', 'Descriptor'],
    ['ls 2>&12', 'Descriptor'],
    ['cat < *.rs', 'NotOnePath'],
    ["cat > ''", 'NotOnePath'],
    ["'' x", 'NotFound'],
    ['gone; ls', 'NotFound'],
    ['ls; gone > {a,b}', 'NotFound'],
    ['ls ~+', 'NamedHome'],
    ['ls ~"x"', 'NamedHome'],
    ['FOO=?x ls', 'AssignmentValue'],
    ['FOO=1 | ls', 'Syntax'],
    ['/usr/bin/vim *.zzz', 'Interactive'],
    ['git -C sub commit', 'Interactive'],
    ['git commit -- -m', 'Interactive'],
    ['git add --patch', 'Interactive'],
    ['git add -vp', 'Interactive'],
    ['cat //dev/./tty', 'Interactive'],
    ['ls ../*', 'NoMatch'],
    ['ls {a,zz}*.rs', 'NoMatch'],
    ['ls "a\rb"', 'Syntax'],
    ['ls "a\nb"', 'Syntax'],
    ['ls \0', 'Syntax'],
  ])('%j: %s', (line, code) => {
    expect(argvOf(line)).toBe(code);
  });

  it('has no home where nobody gave one', () => {
    expect(compileLine('ls ~', { isProgram: () => true })).toMatchObject({ refused: { code: 'NoHome' } });
  });

  it('says what it is about', () => {
    expect(compileLine('gone', around)).toEqual({
      refused: { code: 'NotFound', text: 'There is no such program. (gone)' },
    });
  });

  it('passes on an error that is none of its own', () => {
    const broken = (): boolean => {
      throw new Error('the store is down');
    };
    expect(() => compileLine('ls', { isProgram: broken })).toThrow('the store is down');
  });
});

describe('a plan', () => {
  it('alternates steps and connectors', () => {
    const compiled = compileLine('A=1 A=2 ls < in 2>&1 | wc && pwd', around);
    expect('plan' in compiled && JSON.parse(JSON.stringify(sequenceOf(compiled.plan)))).toEqual([
      { argv: ['ls'], env: { A: '2' }, redirects: [{ op: '<', path: 'in' }, { op: '2>&1' }] },
      '|',
      { argv: ['wc'], env: {}, redirects: [] },
      '&&',
      { argv: ['pwd'], env: {}, redirects: [] },
    ]);
  });
});
