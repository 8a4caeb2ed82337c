import { PROGRAM_LIMITS } from '../limits/program-limits.ts';
import { compileLine, type LineContext } from './compile-line.ts';

const around: LineContext = { isProgram: () => true, home: '/home/me', files: ['a.rs', 'b.rs'] };

const compiledOf = (line: string, context = around) => compileLine(line, context);
function argvOf(line: string, context = around): readonly string[] | string {
  const compiled = compiledOf(line, context);
  return 'plan' in compiled ? compiled.plan.steps.flatMap(({ argv }) => argv) : compiled.refused.code;
}
const textOf = (line: string): string | undefined => {
  const compiled = compiledOf(line);
  return 'refused' in compiled ? compiled.refused.text : undefined;
};

describe('a refusal says what it is about', () => {
  it.each([
    ['| ls', 'a step has no program'],
    ['ls && && ls', 'a step has no program'],
    ['(ls)', 'brackets group nothing here; quote them'],
    ['ls (a)', 'brackets group nothing here; quote them'],
    ['ls >', 'a redirection names no file'],
    ['ls > | wc', 'a redirection names no file'],
    ['A=1', 'an assignment has nothing to run'],
    ['ls a\nb', 'a command line is one line of text'],
    ["ls '", 'a quote is not closed'],
    ['ls "', 'a quote is not closed'],
    ["ls 'a", 'a quote is not closed'],
    ['ls "a', 'a quote is not closed'],
    ['ls "a\\', 'a quote is not closed'],
    ['ls a\\', 'nothing follows the last backslash'],
    ['ls ; '.repeat(65), 'a line may hold 64 commands'],
    [`ls ${'a'.repeat(65_536)}`, 'a line may hold 65536 characters'],
    [`ls ${'{1..100} '.repeat(64)}`, 'a step may have 6400 arguments'],
    [`ls ${'{'.repeat(51)}`, 'the braces are nested too deeply'],
    ['ls {1..101}', 'one word may stand for 100 arguments'],
    ['A=* ls', 'A'],
    ['eval x', 'eval'],
    ['if x', 'if'],
    ['ls /dev/tty', 'this names a terminal'],
    ['vim a', 'change files with edit_file or write_file'],
    ['more a', 'narrow the output with head, tail or grep'],
    ['htop', 'ask for one reading, such as ps'],
    ['git rebase -i', 'rebase without -i'],
    ['git add -p', 'name the paths to add'],
    ['git commit', 'give the message with -m'],
  ])('%.40s: %s', (line, about) => {
    expect(textOf(line)).toMatch(new RegExp(`\\(${about.replaceAll('{', '\\{')}\\)$`));
  });
});

describe('an assignment', () => {
  it.each([
    ['a=1 z=2 A=3 Z=4 _=5 ls', { a: '1', z: '2', A: '3', Z: '4', _: '5' }],
    ['A0=1 b9=2 _5=3 ls', { A0: '1', b9: '2', _5: '3' }],
    ['A= ls', { A: '' }],
    ['A==b ls', { A: '=b' }],
  ])('%s', (line, env) => {
    expect(compiledOf(line)).toMatchObject({ plan: { steps: [{ argv: ['ls'], env }] } });
  });

  it.each(['=x', '0A=1', 'A:=1', 'A/=1', 'A-=1', 'é=1', '^=1', 'A^=1', '@=1', "'A'=1", 'A\\=1', '[a]=1'])(
    '%s is none',
    (word) => {
      const compiled = compiledOf(`${word} ls`, { ...around, files: ['a=1'] });
      expect('refused' in compiled ? compiled.refused.code : compiled.plan.steps[0]?.env).toEqual(
        word === '[a]=1' ? 'NotOneProgram' : {},
      );
    },
  );
});

describe('the bounds of a line', () => {
  it.each([
    ['characters', `ls ${'a'.repeat(65_533)}`, `ls ${'a'.repeat(65_534)}`],
    ['commands', 'ls;'.repeat(64), 'ls;'.repeat(65)],
    ['arguments of a word', 'ls {1..100}', 'ls {1..101}'],
    ['arguments of a word of two groups', 'ls {1..10}{1..10}', 'ls {1..10}{1..11}'],
    ['arguments of a word of alternatives', `ls {1..50}{a,b}`, `ls {1..50}{a,b,c}`],
    ['a range nobody could build', 'ls {999999999999900..999999999999999}', 'ls {1..999999999999999}'],
    ['one of two ranges nobody could build', 'ls {1..1}{2..2}', 'ls {1..1}{1..999999999999999}'],
    ['groups nobody could build', `ls ${'{a,b}'.repeat(6)}`, `ls ${'{a,b}'.repeat(61)}`],
    ['braces in braces', `ls ${'{'.repeat(50)}`, `ls ${'{'.repeat(51)}`],
    ['arguments of a step', `ls ${'{1..100} '.repeat(63)} {1..99}`, `ls ${'{1..100} '.repeat(64)}`],
  ])('%s', (_what, atMost, tooMany) => {
    expect([Array.isArray(argvOf(atMost)), argvOf(tooMany)]).toEqual([true, 'TooMany']);
  });

  it('files that one pattern stands for', () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);
    expect(argvOf('ls f*', { ...around, files: files(100) })).toHaveLength(101);
    expect(argvOf('ls f*', { ...around, files: files(101) })).toBe('TooMany');
    expect(argvOf('ls {f*,g}', { ...around, files: files(100) })).toBe('TooMany');
  });

  it('directories that one pattern walks', () => {
    const { value } = PROGRAM_LIMITS['run-directories'];
    const files = (count: number) => Array.from({ length: count }, (_, at) => `d${at}/f`);
    expect(argvOf('ls **/g', { ...around, files: files(value - 1) })).toBe('NoMatch');
    expect(compileLine('ls **/g', { ...around, files: files(value) })).toMatchObject({
      refused: { code: 'TooMany', text: expect.stringContaining(`a pattern may walk ${value} directories`) as string },
    });
  });

  it('patterns match nothing where nothing is given', () => {
    expect(argvOf('ls *', { isProgram: () => true })).toBe('NoMatch');
  });
});

describe('words', () => {
  it.each([
    ['git commit -m x *.rs', ['git', 'commit', '-m', 'x', 'a.rs', 'b.rs']],
    ['git *.rs', ['git', 'a.rs', 'b.rs']],
    ['echo {0..1}', ['echo', '0', '1']],
    ['echo {9..10}', ['echo', '9', '10']],
    ['echo {2..2}', ['echo', '2']],
    ['echo {1..-1}', ['echo', '1', '0', '-1']],
    ['echo {-01..1}', ['echo', '-01', '000', '001']],
    ['echo {08..10}', ['echo', '08', '09', '10']],
    ['echo {1..010}', ['echo', '001', '002', '003', '004', '005', '006', '007', '008', '009', '010']],
    ['echo {-..1} {1..-} {1..a} {1..:} {1../}', ['echo', '{-..1}', '{1..-}', '{1..a}', '{1..:}', '{1../}']],
    ['echo {0..10}', ['echo', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10']],
    ['echo {1..a1} {1..1a} {1..2}x{3..', ['echo', '{1..a1}', '{1..1a}', '1x{3..', '2x{3..']],
    ['echo {1..2*}', 'NoMatch'],
    ['echo {1..2?,}', 'NoMatch'],
    ['echo {~x,a}', 'NamedHome'],
    ['echo {999999999999999..999999999999999}', ['echo', '999999999999999']],
    ['echo {1000000000000000..1000000000000000}', ['echo', '{1000000000000000..1000000000000000}']],
    ['echo {1..3}{a,b}', ['echo', '1a', '1b', '2a', '2b', '3a', '3b']],
    ['echo {a,b}-{c,d}', ['echo', 'a-c', 'a-d', 'b-c', 'b-d']],
    ['echo {a,{1..2}}', ['echo', 'a', '1', '2']],
    ['echo x{y}z {}', ['echo', 'x{y}z', '{}']],
    ['echo {{a,b}}', ['echo', '{a}', '{b}']],
    ['echo {,}', ['echo', '', '']],
    ["echo '{a,b}' {a\\,b}", ['echo', '{a,b}', '{a,b}']],
    ['echo a,b a}', ['echo', 'a,b', 'a}']],
    ["echo '*' \\? '~' '['", ['echo', '*', '?', '~', '[']],
    ['echo "\\*" "\\~" "{a\\,b}"', ['echo', '\\*', '\\~', '{a\\,b}']],
    ['echo [a[b [a["b"', ['echo', '[a[b', '[a[b']],
    ['ls [!]a].rs', ['ls', 'b.rs']],
    ['ls [^]a].rs', ['ls', 'b.rs']],
    ['ls [!]].rs', ['ls', 'a.rs', 'b.rs']],
    ['ls ["a"].rs [\'a\']', ['ls', '[a].rs', '[a]']],
    ['ls [$a].rs', 'Variable'],
    ['ls [a$b].rs', 'Variable'],
    ['ls [`a`].rs', 'CommandSubstitution'],
    ['ls [a`b`].rs', 'CommandSubstitution'],
    ['ls [a"$b"].rs', 'Variable'],
    ['ls [a\\]b', ['ls', '[a]b']],
    ['ls [a/b] [/]', ['ls', '[a/b]', '[/]']],
    ['echo [!a [^', 'HistoryExpansion'],
    ['echo [^a [^', ['echo', '[^a', '[^']],
    ['echo {~,a}', ['echo', '/home/me', 'a']],
    ['echo {a,~}', ['echo', 'a', '/home/me']],
    ['echo {a,~/b}', ['echo', 'a', '/home/me/b']],
    ['echo x{~,a}', ['echo', 'x~', 'xa']],
    ['echo \\~', ['echo', '~']],
    ['echo ~,', 'NamedHome'],
    ['echo ~}', 'NamedHome'],
    ['echo ~"/"', ['echo', '/home/me/']],
    ['echo {~",",a}', 'NamedHome'],
    ['echo ~*', 'NamedHome'],
    ['echo ~[a]', 'NamedHome'],
    ['{ls,a}', 'NotOneProgram'],
    ['{1..1} a', ['1', 'a']],
    ['l? a', 'NotOneProgram'],
    ['{l?,a} a', 'NotOneProgram'],
    ['ls > ?', 'NotOnePath'],
    ['ls > {a,b}', 'NotOnePath'],
    ['ls > /dev/tty', 'Interactive'],
  ])('%s', (line, argv) => {
    expect(argvOf(line)).toEqual(argv);
  });

  it('have no home where it is empty', () => {
    expect(argvOf('ls ~', { ...around, home: '' })).toBe('NoHome');
  });
});
