import { compileLine } from './compile-line.ts';

function shown(line: string, files: readonly string[]): readonly string[] | string {
  const compiled = compileLine(line, { isProgram: () => true, files });
  return 'plan' in compiled ? (compiled.plan.steps[0]?.argv.slice(1) ?? []) : compiled.refused.code;
}

describe('a pattern stands for', () => {
  it.each<[string, readonly string[], readonly string[] | string]>([
    ['/etc/h*', ['/etc/hosts', 'etc/here'], ['/etc/hosts']],
    ['etc/h*', ['/etc/hosts', 'etc/here'], ['etc/here']],
    ['*', ['/etc/hosts', 'a'], ['a']],
    ['**', ['/etc/hosts', 'a'], ['a']],
    ['*tc/hosts', ['/etc/hosts', 'a'], 'NoMatch'],
    ['/x*', ['x'], 'NoMatch'],
    ['*', [], 'NoMatch'],
    ['d*', ['d/'], ['d']],
    ['d/*', ['d/'], 'NoMatch'],
    ['*', ['./a'], ['a']],
    ['a/*', ['./a//b'], ['a/b']],
    ['d//*', ['d/x'], ['d/x']],
    ['*/.', ['f', 'd/x'], ['d/.']],
    ['*/x', ['f', 'd/x', 'e/y'], ['d/x']],
    ['**', ['.env', 'node_modules/m', 'target/t', 'a/.b', 'a/c', 'e.', 'a/target/u'], ['a', 'a/c', 'e.']],
    ['**/m', ['m', '.d/m', 'node_modules/m', 'target/m', 'a/m'], ['a/m', 'm']],
    ['node_modules/**', ['node_modules/m/n'], ['node_modules/m', 'node_modules/m/n']],
    ['**a', ['xa', 'b', 'd/a'], ['xa']],
    ['a**', ['ab', 'ba'], ['ab']],
    ['**/**', ['a/b'], ['a', 'a/b']],
    ['a*', ['a', 'ab', 'b'], ['a', 'ab']],
    ['*a*b', ['xaxxb', 'xb'], ['xaxxb']],
    ['*a*', ['a', 'b'], ['a']],
    ['.e*', ['.env', 'env'], ['.env']],
    ['[.]env', ['.env'], 'NoMatch'],
    ['?env', ['.env'], 'NoMatch'],
    ['*env', ['.env', 'env'], ['env']],
    ['[!a]x', ['!x', 'ax'], ['!x']],
    ['[^a]x', ['^x', 'ax'], ['^x']],
    ['[acz]x', ['ax', 'bx', 'cx', 'zx'], ['ax', 'cx', 'zx']],
    ['[a-c]x', ['-x', 'ax', 'bx', 'cx', 'dx'], ['ax', 'bx', 'cx']],
    ['[a-]x', ['-x', 'ax', 'bx'], ['-x', 'ax']],
    ['[-a]x', ['-x', 'ax', 'bx'], ['-x', 'ax']],
    ['[a-bx-z]', ['a', 'b', 'c', 'w', 'x', 'y', 'z'], ['a', 'b', 'x', 'y', 'z']],
    ['?', ['\u{1f600}', 'ab'], ['\u{1f600}']],
    ['*', ['b', '\u{1f600}', 'a', '\uffee', 'ab'], ['a', 'ab', 'b', '\uffee', '\u{1f600}']],
  ])('%s among %j: %j', (pattern, files, expected) => {
    expect(shown(`ls ${pattern}`, files)).toEqual(expected);
  });
});
