/** Repositories that are traps: whatever they configure, link to or pretend to hold, nothing runs, nothing outside is read, and the answer is a sentence. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applyDelta } from './apply-delta.ts';
import { makeRepository, type Repository } from './repositories.fixture.ts';

let base: string;
let count = 0;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'bravo-hostile-git-'));
  writeFileSync(join(base, 'secret'), 'host secret');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const make = async (): Promise<Repository> => {
  const repository = await makeRepository(join(base, `repository${(count += 1)}`));
  repository.put('a.txt', 'one\n');
  repository.commit('One');
  repository.put('a.txt', 'two\n');
  repository.commit('Two');
  return repository;
};
const QUERIES = [
  { query: 'log' },
  { query: 'log', path: 'a.txt' },
  { query: 'show', revision: 'HEAD' },
  { query: 'diff', revision: 'HEAD~1..HEAD' },
  { query: 'status' },
  { query: 'tags' },
  { query: 'search', pattern: 'o' },
] as const;

describe('a repository that configures programs [git.runs-nothing]', () => {
  it('is answered as if it did not, and none of them ran', async () => {
    const repository = await make();
    const { directory, put, ask, git } = repository;
    put('b.txt', 'untracked\n');
    const before = await Promise.all(QUERIES.map((query) => ask(query)));
    const ran = join(directory, '..', 'ran');
    const program = join(directory, '..', 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(program, 0o755);
    appendFileSync(
      join(directory, '.git/config'),
      [
        `[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\thooksPath = ${join(directory, '..')}\n\tsshCommand = ${program}\n\teditor = ${program}`,
        `[diff]\n\texternal = ${program}`,
        `[diff "evil"]\n\ttextconv = ${program}\n\tcommand = ${program}`,
        `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n\tprocess = ${program}`,
        `[alias]\n\tlog = !${program}`,
        `[remote "origin"]\n\turl = ext::${program}\n\tpromisor = true`,
      ].join('\n'),
    );
    mkdirSync(join(directory, '.git/hooks'), { recursive: true });
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-auto-gc'])
      symlinkSync(program, join(directory, '.git/hooks', hook));
    writeFileSync(join(directory, '.git/info/attributes'), '*.txt diff=evil\n');
    expect(await Promise.all(QUERIES.map((query) => ask(query)))).toEqual(before);
    expect(existsSync(ran)).toBe(false);
    // The traps are real: git itself falls into one of them.
    try {
      git('diff', 'HEAD~1', 'HEAD');
    } catch {
      // It fails once it has run.
    }
    expect(existsSync(ran)).toBe(true);
  });
});

describe('a repository that is laid out otherwise [git.declines]', () => {
  it.each<[string, (repository: Repository) => void, string]>([
    [
      'a .git that is a file',
      ({ directory }) => {
        renameSync(join(directory, '.git'), join(directory, 'elsewhere'));
        writeFileSync(join(directory, '.git'), 'gitdir: elsewhere\n');
      },
      'its .git is no directory',
    ],
    [
      'a .git that is a link',
      ({ directory }) => {
        renameSync(join(directory, '.git'), join(directory, 'elsewhere'));
        symlinkSync('elsewhere', join(directory, '.git'));
      },
      'its .git is no directory',
    ],
    [
      'borrowed objects',
      ({ directory }) =>
        writeFileSync(join(directory, '.git/objects/info/alternates'), join(base, 'repository1/files/.git/objects')),
      'it borrows objects',
    ],
    ['grafts', ({ directory }) => writeFileSync(join(directory, '.git/info/grafts'), ''), 'it grafts its history'],
    ['replaced objects', ({ git }) => void git('replace', 'HEAD~1', 'HEAD'), 'it replaces objects'],
    [
      'replaced objects that are packed',
      ({ git }) => {
        git('replace', 'HEAD~1', 'HEAD');
        git('pack-refs', '--all');
      },
      'it replaces objects',
    ],
    [
      'an included configuration',
      ({ git }) => void git('config', 'include.path', join(base, 'secret')),
      'its configuration includes another file',
    ],
    [
      'a working tree elsewhere',
      ({ git }) => void git('config', 'core.worktree', base),
      'its working tree is elsewhere',
    ],
    [
      'another repository',
      ({ directory }) => writeFileSync(join(directory, '.git/commondir'), base),
      'it shares another repository',
    ],
    [
      'a partial clone',
      ({ git }) => void git('config', 'extensions.partialClone', 'origin'),
      'it uses extensions.partialclone',
    ],
    [
      'objects behind a link',
      ({ directory }) => {
        renameSync(join(directory, '.git/objects'), join(directory, 'objects'));
        symlinkSync('../objects', join(directory, '.git/objects'));
      },
      'its objects are not in it',
    ],
  ])('%s: is declined, and run is named', async (_, change, why) => {
    const repository = await make();
    change(repository);
    await expect(repository.ask({ query: 'log' })).rejects.toMatchObject({
      code: 'conflict',
      detail: `This repository is not read here: ${why}. Use run with git for it.`,
    });
  });

  it.each<[string, (repository: Repository) => void, string]>([
    ['a bare one', ({ git }) => void git('config', 'core.bare', 'true'), 'it is a bare repository'],
    ['a sparse one', ({ git }) => void git('sparse-checkout', 'set', 'x'), 'it uses extensions.worktreeconfig'],
    ['a split index', ({ git }) => void git('update-index', '--split-index'), 'its index is split'],
    [
      'ignore rules elsewhere',
      ({ git }) => void git('config', 'core.excludesFile', join(base, 'secret')),
      'its ignore rules are in a file outside it',
    ],
    [
      'attributes elsewhere',
      ({ git }) => void git('config', 'core.attributesFile', join(base, 'secret')),
      'its attributes are in a file outside it',
    ],
  ])('%s: has no status here', async (_, change, why) => {
    const repository = await make();
    change(repository);
    await expect(repository.ask({ query: 'status' })).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(why),
    });
  });
});

describe('links and names in a repository [git.confined]', () => {
  it('lead nowhere outside', async () => {
    const repository = await make();
    const { directory, ask, git } = repository;
    symlinkSync(join(base, 'secret'), join(directory, 'out'));
    mkdirSync(join(directory, '.git/refs/heads/sub'));
    symlinkSync(join(base, 'secret'), join(directory, '.git/refs/heads/sub/evil'));
    writeFileSync(join(directory, '.git/refs/heads/up'), 'ref: ../../../../secret\n');
    writeFileSync(join(directory, '.git/refs/heads/round'), 'ref: refs/heads/round\n');
    expect(await ask({ query: 'status' })).toBe('?? out\n');
    for (const revision of [
      'sub/evil',
      'up',
      'round',
      '../../secret',
      'HEAD@{1}',
      'HEAD...HEAD~1',
      ':/One',
      '-n',
      '--help',
      'HEAD^{/x}',
      'a'.repeat(40),
    ])
      await expect(ask({ query: 'show', revision })).rejects.toMatchObject({
        code: expect.stringMatching(/not_found|invalid_argument|conflict/),
      });
    for (const revision of ['HEAD:../secret', 'HEAD:/etc/passwd', 'HEAD:.git/config'])
      await expect(ask({ query: 'show', revision })).rejects.toMatchObject({
        code: expect.stringMatching(/not_found|invalid_argument/),
      });
    git('add', 'out');
    repository.commit('A link out');
    expect(await ask({ query: 'show', revision: 'HEAD:out' })).toBe(join(base, 'secret'));
    for (const repositoryPath of ['out', '..', 'nothing', 'a.txt'])
      await expect(ask({ query: 'log', repository: repositoryPath })).rejects.toMatchObject({
        code: expect.stringMatching(/not_found|invalid_argument/),
      });
  });

  it('tells a submodule and opens nothing of it', async () => {
    const repository = await make();
    const { git, ask, directory, put } = repository;
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
    put('.gitmodules', '[submodule "module"]\n\tpath = module\n\turl = ext::evil\n\tupdate = !evil\n');
    git('add', '.gitmodules');
    git('commit', '-q', '-m', 'A submodule');
    mkdirSync(join(directory, 'module/.git'), { recursive: true });
    expect(await ask({ query: 'show', revision: 'HEAD' })).toContain(`+Subproject commit ${'1'.repeat(40)}`);
    expect(await ask({ query: 'status' })).toContain('-- module (not compared: a submodule)');
  });
});

describe('objects that are built to hurt [git.bounds]', () => {
  const store = (repository: Repository, id: string, bytes: Buffer): void => {
    mkdirSync(join(repository.directory, '.git/objects', id.slice(0, 2)), { recursive: true });
    writeFileSync(join(repository.directory, '.git/objects', id.slice(0, 2), id.slice(2)), bytes);
  };

  it('unpack to no more than is allowed', async () => {
    const repository = await make();
    store(repository, 'a'.repeat(40), deflateSync(Buffer.alloc(256 * 1024 * 1024)));
    store(repository, 'b'.repeat(40), deflateSync(Buffer.from('commit 5\0tree')));
    store(repository, 'c'.repeat(40), Buffer.from('no zlib'));
    store(
      repository,
      'd'.repeat(40),
      deflateSync(
        Buffer.from(
          `tag 130\0object ${'d'.repeat(40)}\ntype tag\ntag x\ntagger A <a@b> 1 +0000\n\n${'m'.repeat(130)}`.slice(
            0,
            138,
          ),
        ),
      ),
    );
    for (const letter of ['a', 'b', 'c', 'd'])
      await expect(repository.ask({ query: 'log', revision: letter.repeat(40) })).rejects.toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('damaged'),
      });
  });

  it('describe a file that is too large, and cut an answer that is too long', async () => {
    const repository = await make();
    repository.put('large', Buffer.alloc(1024 * 1024 + 1, 'x'));
    repository.put('long', 'line\n'.repeat(5_000));
    repository.commit('Large');
    expect(await repository.ask({ query: 'show', revision: 'HEAD', path: 'large' })).toContain(
      'A file of 1048577 bytes, which is too large to be shown.',
    );
    expect((await repository.answer({ query: 'show', revision: 'HEAD:large' })).notes.join()).toContain(
      '1048577 bytes',
    );
    const cut = await repository.answer({ query: 'show', revision: 'HEAD:long' });
    expect(
      cut.sections
        .map(({ text }) => text)
        .join('')
        .split('\n').length,
    ).toBeLessThan(2_002);
    expect(cut.notes.join()).toContain('cut at 2000 lines');
  });

  it('in packs that are damaged at any place end in a sentence', async () => {
    const repository = await make();
    repository.put('a.txt', `${'two\n'.repeat(300)}three\n`);
    repository.commit('Three');
    repository.put('a.txt', `${'two\n'.repeat(300)}four\n`);
    repository.commit('Four');
    repository.git('gc', '-q', '--aggressive', '--prune=now');
    const folder = join(repository.directory, '.git/objects/pack');
    for (const name of readdirSync(folder).filter((one) => /\.(pack|idx)$/.test(one))) {
      const whole = readFileSync(join(folder, name));
      chmodSync(join(folder, name), 0o644);
      for (let at = 0; at < whole.length; at += Math.max(1, Math.floor(whole.length / 40))) {
        const broken = Buffer.from(whole);
        broken[at] = (broken[at] ?? 0) ^ 0xff;
        writeFileSync(join(folder, name), broken);
        for (const query of QUERIES.slice(1, 4))
          await repository.ask(query).catch((error: unknown) =>
            expect(error).toMatchObject({
              code: expect.stringMatching(/conflict|not_found|invalid_argument|resource_exhausted/),
            }),
          );
      }
      writeFileSync(join(folder, name), whole);
    }
    expect(await repository.ask({ query: 'log' })).toContain('Four');
  }, 120_000);

  it('are deltas that fit their base or none', () => {
    const baseBytes = Buffer.from('0123456789');
    expect(applyDelta(baseBytes, Buffer.from([10, 4, 0x91, 2, 3, 1, 120]), 100).toString()).toBe('234x');
    for (const delta of [
      [],
      [10],
      [9, 1, 1, 65],
      [10, 4, 0x91, 8, 3, 1, 65],
      [10, 1, 0],
      [10, 200, 1, 1, 65],
      [10, 5, 4, 65],
      [0x8a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1],
    ])
      expect(() => applyDelta(baseBytes, Buffer.from(delta), 100)).toThrow(/does not fit/);
  });
});
