import { compileLine } from './compile-line.ts';

const isInteractive = (line: string): boolean => {
  const compiled = compileLine(line, { isProgram: () => true });
  return 'refused' in compiled && compiled.refused.code === 'Interactive';
};

describe('a terminal is wanted by', () => {
  const editors = ['vi', 'vim', 'nvim', 'emacs', 'nano', 'pico', 'ed', 'micro', 'helix', 'hx', 'kak'];
  it.each([
    ...[...editors, 'less', 'more', 'most', 'top', 'htop', 'btop'].flatMap((name) => [name, `/usr/bin/${name} a`]),
    ...['-C x', '-c a=b', '--git-dir x', '--work-tree x', '--namespace x', '--config-env a=B', '--git-dir=x', '-p'].map(
      (options) => `git ${options} commit`,
    ),
    'git rebase -i',
    'git rebase --interactive HEAD',
    'git add -i',
    'git add --interactive',
    'git add -p',
    'git add --patch',
    'git commit',
    'git commit am',
    'git commit -a',
    'git commit --all',
    'git commit --author=me',
    'cat /dev/tty',
    'cat /dev/tty1',
    'cat /dev/console',
    'cat /dev/pts/0',
    'ls | cat > /dev/tty',
  ])('%s', (line) => {
    expect(isInteractive(line)).toBe(true);
  });
});

describe('no terminal is wanted by', () => {
  it.each([
    'echo vim',
    'vimdiff a b',
    'hg commit',
    'x rebase -i',
    'git log -i',
    'git log -p',
    'git diff --patch',
    'git log --interactive',
    'git rebase main',
    'git rebase -- -i',
    'git add -v a',
    'git add i p',
    'git add -- -p',
    'git status commit',
    'git commit -m x',
    'git commit -am x',
    'git commit -F x',
    'git commit -C HEAD',
    ...['--message=x', '--file=x', '--reuse-message=x', '--no-edit', '--fixup=x', '--dry-run', '--help', '-h'].map(
      (option) => `git commit ${option}`,
    ),
    'git commit --file x',
    'cat dev/tty',
    'cat /x/tty',
    'cat /dev',
    'cat /dev/null',
    'cat /dev/tty/x',
    'cat /dev/console/x',
    'cat /dev/fd/1',
    'cat /dev/pts',
  ])('%s', (line) => {
    expect(isInteractive(line)).toBe(false);
  });
});
