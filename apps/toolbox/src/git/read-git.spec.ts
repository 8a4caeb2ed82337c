/** What read_git prints is what git prints, on repositories that git made: loose and packed, merged, tagged, renamed, in every alphabet. */
import { chmodSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeRepository, program, type Repository } from './repositories.fixture.ts';

let base: string;
let count = 0;
const make = (): Promise<Repository> => makeRepository(join(base, `repository${(count += 1)}`));
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'bravo-git-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const LOG = ['log', '--abbrev=10', '--date=short', '--format=%h %ad %an %s'];
const DIFF = ['--no-renames', '--abbrev=10', '--minimal'];

/** Merges, a rename, names that need quoting, line ends, links, modes, binaries, an empty file and one without an end. */
const grow = async (): Promise<Repository> => {
  const repository = await make();
  const { git, put, commit, directory } = repository;
  put('src/main.c', program(12, 3));
  put('README', 'one\ntwo\nthree\n');
  put('empty', '');
  put('Ünïcode/日本.txt', 'grün\n');
  put('with space.txt', 'a\n');
  commit('First\n\nwith a body\n\n  of three paragraphs');
  git('tag', 'v1.0');
  put('src/main.c', program(14, 3).replace('step_2();\n\tstep_0', 'step_9();\n\tstep_0'));
  put('README', 'one\r\ntwo\r\nthree\r\n');
  put('no-end', 'no end of line');
  put('picture.bin', Buffer.from([1, 0, 2, 255]));
  commit('A subject\nover two lines');
  git('tag', '-a', 'v1.2', '-m', 'Tag with words\n\nand a body');
  git('checkout', '-q', '-b', 'side');
  put('side.txt', 'side\n');
  put('README', 'one\r\ntwo\r\nthree\r\nfour\r\n');
  commit('Side');
  renameSync(join(directory, 'with space.txt'), join(directory, 'and "quotes".txt'));
  commit('Renamed');
  git('checkout', '-q', 'main');
  chmodSync(join(directory, 'src/main.c'), 0o755);
  symlinkSync('src/main.c', join(directory, 'link'));
  put('no-end', 'no end of line\nbut now\n');
  put('picture.bin', Buffer.from([1, 0, 3]));
  commit('Modes and links');
  git('merge', '-q', '--no-ff', '-m', 'Merge side', 'side');
  git('tag', 'v1.10');
  unlinkSync(join(directory, 'link'));
  put('link', 'a file now\n');
  put('src/main.c', program(15, 7));
  put('src/other/deep/file.txt', 'deep\n');
  commit('Last');
  return repository;
};

describe.each(['loose', 'packed', 'packed with bitmaps and a multi-pack index'])('a repository that is %s', (how) => {
  let repository: Repository;
  beforeAll(async () => {
    repository = await grow();
    if (how === 'packed') repository.git('gc', '-q', '--aggressive', '--prune=now');
    if (how.startsWith('packed with')) {
      repository.git('repack', '-q', '-a', '-d', '--write-bitmap-index', '--depth=50', '--window=50');
      repository.git('multi-pack-index', 'write');
      repository.git('commit-graph', 'write', '--reachable');
      repository.git('pack-refs', '--all');
    }
  }, 60_000);

  it.each(['', 'v1.2', 'HEAD~2', 'v1.0..HEAD', 'side..main', 'HEAD~1^2', 'HEAD~1^{commit}'])(
    'has the log of %j',
    async (revision) => {
      const { git, ask } = repository;
      expect(await ask({ revision })).toBe(git(...LOG, ...(revision === '' ? [] : [revision])));
    },
  );

  it.each(['README', 'src', 'src/main.c', 'Ünïcode', 'nothing', 'side.txt', 'no-end'])(
    'has the log of the path %s',
    async (path) => {
      const { git, ask } = repository;
      expect(await ask({ path })).toBe(git(...LOG, '--', path));
      expect(await ask({ path, revision: 'v1.0..' })).toBe(git(...LOG, 'v1.0..', '--', path));
    },
  );

  it('has the log in pages, by days and with messages', async () => {
    const { git, ask, answer } = repository;
    expect(await ask({ count: 2, skip: 3 })).toBe(git(...LOG, '-n2', '--skip=3'));
    expect((await answer({ count: 2, skip: 3 })).next).toBe(5);
    expect((await answer({ count: 2, skip: 5 })).next).toBe(0);
    const days = { since: '2026-03-02', until: '2026-03-02' };
    expect(await ask(days)).toBe(git(...LOG, '--since=2026-03-02T00:00:00Z', '--until=2026-03-02T23:59:59Z'));
    const told = git('log', '--abbrev=10', '--date=short', '--format=%x01%h %ad %an %s%n%w(0,4,4)%b')
      .split('\u0001')
      .slice(1);
    expect(await ask({ messages: true })).toBe(
      told
        .map((one) =>
          one
            .trimEnd()
            .replace(/\n\n(?=\n|$)/g, '\n')
            .replace(/^$/gm, '    '),
        )
        .map((one) => `${one}\n`)
        .join(''),
    );
  });

  it('shows commits, tags, files and directories', async () => {
    const { git, ask } = repository;
    for (const revision of ['HEAD', 'HEAD~1^1', 'side', 'v1.0', git('rev-parse', 'side~1').slice(0, 7)])
      expect(await ask({ query: 'show', revision })).toBe(git('show', ...DIFF, revision));
    expect(await ask({ query: 'show', revision: 'v1.2' })).toBe(git('show', ...DIFF, 'v1.2'));
    for (const place of ['HEAD:README', 'v1.0:src/main.c', 'HEAD:Ünïcode/日本.txt', 'HEAD:', 'HEAD:src', 'HEAD:no-end'])
      expect((await ask({ query: 'show', revision: place })).trimEnd()).toBe(git('show', place).trimEnd());
    expect(await ask({ query: 'show', revision: 'HEAD', path: 'src/other' })).toBe(
      git('show', ...DIFF, 'HEAD', '--', 'src/other'),
    );
  });

  it('shows a merge without a diff, and says which to ask for', async () => {
    const { git, ask, answer } = repository;
    const revision = git('rev-list', '--merges', '-n1', 'HEAD').trim();
    expect(await ask({ query: 'show', revision })).toBe(git('show', '-s', '--abbrev=10', revision));
    expect((await answer({ query: 'show', revision })).notes.join()).toMatch(
      /Ask for the diff [0-9a-f]{10}\.\.[0-9a-f]{10} or/,
    );
  });

  it.each(['v1.0..HEAD', 'HEAD v1.0', 'side main', 'HEAD~1..HEAD', 'v1.2..v1.10', 'HEAD..HEAD'])(
    'has the diff %s',
    async (revision) => {
      const { git, ask } = repository;
      expect(await ask({ query: 'diff', revision })).toBe(git('diff', ...DIFF, ...revision.split(/\.\.| /)));
      for (const path of ['src', 'README'])
        expect(await ask({ query: 'diff', revision, path })).toBe(
          git('diff', ...DIFF, ...revision.split(/\.\.| /), '--', path),
        );
    },
  );

  it('lists tags in the order of versions', async () => {
    const { git, ask, answer } = repository;
    expect(await ask({ query: 'tags' })).toBe(git('tag', '--sort=-v:refname'));
    expect(await ask({ query: 'tags', revision: 'v1.2' })).toBe(git('tag', '--sort=-v:refname', '--merged', 'v1.2'));
    expect(await answer({ query: 'tags', count: 1, skip: 1 })).toMatchObject({ next: 2 });
  });

  it('searches a revision', async () => {
    const { git, ask, answer } = repository;
    for (const [pattern, revision] of [
      ['step_[12]', 'HEAD'],
      ['^two', 'v1.0'],
      ['ü', 'HEAD'],
    ] as const)
      expect(await ask({ query: 'search', pattern, revision })).toBe(
        git('grep', '-n', '-I', '-E', pattern, revision)
          .split('\n')
          .slice(0, 200)
          .join('\n')
          .replace(/([^\n])$/, '$1\n'),
      );
    const page = await answer({ query: 'search', pattern: 'step', count: 3, skip: 2, path: 'src' });
    expect(page.sections.map(({ text }) => text).join('')).toBe(
      git('grep', '-n', 'step', 'HEAD', '--', 'src').split('\n').slice(2, 5).join('\n').concat('\n'),
    );
    expect(page.next).toBe(5);
    expect(page.read).toEqual(['src/main.c']);
  });
});

describe('diffs of programs', () => {
  it('are set where git sets them', async () => {
    const { git, put, commit, ask } = await make();
    for (let n = 0; n < 24; n += 1) {
      const text = program(5 + ((n * 5) % 9), 1 + (n % 6)).split('\n');
      text.splice((n * 7) % text.length, n % 5, ...program(1 + (n % 2), n).split('\n'), '', `\tstep_${n % 5}();`);
      put('main.c', text.join('\n'));
      put('list', Array.from({ length: 30 }, (_, at) => `${(at * (n + 1)) % 7}`).join('\n'));
      commit(`Version ${n}`);
    }
    const ids = git('rev-list', 'HEAD').trim().split('\n');
    for (let at = 0; at + 1 < ids.length; at += 1) {
      const revision = `${ids[at + 1]} ${ids[at]}`;
      expect(await ask({ query: 'diff', revision, path: 'main.c' })).toBe(
        git('diff', ...DIFF, ...revision.split(' '), '--', 'main.c'),
      );
      // Of lines that repeat git itself does not find a shortest way: ours is no longer, and leads there.
      const list = await ask({ query: 'diff', revision, path: 'list' });
      const [added, removed] = git('diff', '--minimal', '--numstat', ...revision.split(' '), '--', 'list').split('\t');
      expect(list.match(/^\+(?!\+\+)/gm)?.length ?? 0).toBeLessThanOrEqual(Number(added ?? 0));
      expect(list.match(/^-(?!--)/gm)?.length ?? 0).toBeLessThanOrEqual(Number(removed ?? 0));
      git('read-tree', ids[at + 1] ?? '');
      put('../patch', list);
      if (list !== '') git('apply', '--cached', '../patch');
      expect(git('rev-parse', ':list')).toBe(git('rev-parse', `${ids[at]}:list`));
    }
  }, 60_000);
});

describe('the status of a working tree', () => {
  it('is that of git: staged, changed, gone, ignored and untracked', async () => {
    const repository = await grow();
    const { git, put, ask, directory } = repository;
    const same = async (path = '') =>
      expect(await ask({ query: 'status', path })).toBe(
        git('status', '--short', '--no-renames', ...(path === '' ? [] : ['--', path])),
      );
    await same();
    put('.gitignore', '*.log\n!keep.log\nbuild/\n/only-here\n');
    put('src/.gitignore', 'local\n!*.log\n');
    for (const path of [
      'a.log',
      'keep.log',
      'src/b.log',
      'build/x',
      'src/build/x',
      'only-here',
      'src/only-here',
      'src/local/x',
      'new/deep/file',
      'new dir/x',
    ])
      put(path, path);
    put('README', 'changed\n');
    git('add', 'README');
    put('README', 'changed again\n');
    put('side.txt', 'staged\n');
    git('add', 'side.txt');
    unlinkSync(join(directory, 'no-end'));
    git('rm', '-q', '--cached', 'empty');
    chmodSync(join(directory, 'Ünïcode/日本.txt'), 0o755);
    put('added', 'x');
    git('add', 'added', '-N');
    put('staged and gone', 'x');
    git('add', 'staged and gone');
    unlinkSync(join(directory, 'staged and gone'));
    unlinkSync(join(directory, 'link'));
    symlinkSync('README', join(directory, 'link'));
    await same();
    await same('src');
    git('update-index', '--index-version', '4');
    await same();
  });

  it('of a new repository is that of git, and its log says that there is none', async () => {
    const { git, put, ask } = await make();
    put('a', '1');
    expect(await ask({ query: 'status' })).toBe(git('status', '--short'));
    expect(await ask({ query: 'tags' })).toBe('');
    await expect(ask({ query: 'log' })).rejects.toMatchObject({ code: 'not_found' });
    git('add', 'a');
    expect(await ask({ query: 'status' })).toBe(git('status', '--short'));
  });

  it('tells conflicts as git does, and what would be converted first as not compared', async () => {
    const { git, put, commit, ask } = await make();
    put('a', '1\n');
    put('text.txt', 'one\n');
    commit('One');
    git('checkout', '-q', '-b', 'other');
    put('a', '2\n');
    commit('Two');
    git('checkout', '-q', 'main');
    put('a', '3\n');
    commit('Three');
    expect(() => git('merge', '-q', 'other')).toThrow();
    expect(await ask({ query: 'status' })).toBe(git('status', '--short', '--no-renames'));
    put('.gitattributes', '*.txt text\n');
    put('text.txt', 'one\r\n');
    expect(await ask({ query: 'status' })).toContain('-- text.txt (not compared:');
  });
});
