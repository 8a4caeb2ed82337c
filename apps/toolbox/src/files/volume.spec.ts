/** What only the side that opens files can get wrong: links that a program planted, directories swapped under a walk, times set back, and the way there and back. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isFault } from '@bravo/faults';
import type { WriteConditions } from '@bravo/workspace-files';
import { secondsOf } from './file-facts.ts';
import { readContent, restoreEntry, takeInventory } from './inventory.ts';
import { searchFiles } from './search-files.ts';
import { Volume } from './volume.ts';

const ANYTHING: WriteConditions = { expectedRevision: '', expectedLanding: '', operationId: '' };
let base: string;
let count = 0;

const openVolume = (): Promise<Volume> => {
  const root = join(base, `volume${(count += 1)}`);
  mkdirSync(root);
  return Volume.open(root);
};

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'bravo-volume-'));
  writeFileSync(join(base, 'secret'), 'host secret');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a tree that a program changes all the time', () => {
  it("answers each read and write whole or as a conflict, and never in the kernel's words", async () => {
    const volume = await openVolume();
    const files = join(volume.root, 'files');
    const place = join(files, 'd');
    let over = false;
    const churn = async (): Promise<void> => {
      while (!over) {
        await mkdir(join(place, 'a'), { recursive: true }).catch(() => undefined);
        await rm(place, { recursive: true, force: true }).catch(() => undefined);
        await writeFile(place, 'a file').catch(() => undefined);
        await rm(place, { recursive: true, force: true }).catch(() => undefined);
      }
    };
    const churning = Promise.all([churn(), churn()]);
    const told: unknown[] = [];
    const tell = (error: unknown): unknown => told.push(isFault(error) ? error.code : error);
    for (let turn = 0; turn < 200; turn += 1) {
      await volume.write('d/a', Buffer.from(`${turn}`), ANYTHING).catch(tell);
      await volume.write('d', Buffer.from(`${turn}`), ANYTHING).catch(tell);
      await volume.read('d/a', 10).catch(tell);
      await volume.list('d', 2, 10).catch(tell);
    }
    over = true;
    await churning;
    expect(new Set(told)).not.toContain('internal');
    expect(told.filter((answer) => typeof answer !== 'string')).toEqual([]);
    expect(told.length).toBeGreaterThan(0);
  });
});

describe('links that somebody planted [workspace.confined] [workspace.landing]', () => {
  const planted = async (link: string, target: string): Promise<Volume> => {
    const volume = await openVolume();
    await volume.write('real/a', Buffer.from('x'), ANYTHING);
    symlinkSync(target, join(volume.root, 'files', link));
    return volume;
  };

  it.each([
    ['to a host file', 'l', 'l', () => join(base, 'secret'), 'leads out'],
    ['to a host directory', 'l', 'l/secret', () => base, 'leads out'],
    ['up and out', 'l', 'l/secret', () => '../..', 'leads out'],
    ['up and out, and back in', 'l', 'l', () => '../files/real/a', 'leads out'],
    ['to itself', 'l', 'l', () => 'l', 'leads in a circle'],
    ['to a name that is none', 'l', 'l', () => 'real/\u202ea', 'leads to no name'],
  ])('%s are refused by name', async (_, link, path, target, said) => {
    const volume = await planted(link, target());
    const refused = { code: 'invalid_argument', detail: expect.stringContaining(said) };
    await expect(volume.read(path, 100)).rejects.toMatchObject(refused);
    await expect(volume.stat(path)).rejects.toMatchObject(refused);
    await expect(volume.write(path, Buffer.from('y'), ANYTHING)).rejects.toMatchObject(refused);
    await expect(volume.list(link, 2, 100)).rejects.toMatchObject(refused);
    await expect(
      searchFiles(volume, {
        ...{ patterns: ['x'], caseSensitive: true, directory: link, include: '', offset: 0, maxMatches: 10 },
      }),
    ).rejects.toMatchObject(refused);
    const { entries } = await volume.list('', 5, 100);
    expect(entries).toEqual([
      { path: 'l', kind: 'link', size: 0, landing: '' },
      { path: 'real', kind: 'directory', size: 0, landing: '' },
      { path: 'real/a', kind: 'file', size: 1, landing: '' },
    ]);
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('host secret');
  });

  it.each([
    ['a file', 'l', 'l', 'real/a'],
    ['a directory', 'l', 'l/a', 'real'],
    ['a directory as programs see it', 'l', 'l/a', '/workspace/real'],
    ['a link to a directory', 'l', 'l/a', 'm'],
    ['a way up and down', 'l', 'l', 'real/../real/a'],
  ])('to %s of the workspace answer with where they lead', async (_, link, path, target) => {
    const volume = await planted(link, target);
    symlinkSync('real', join(volume.root, 'files', 'm'));
    const facts = await volume.stat('real/a');
    expect(await volume.stat(path)).toEqual(facts);
    expect(await volume.read(path, 100)).toMatchObject({ facts, content: Buffer.from('x') });
    const { entries } = await volume.list('', 1, 100);
    expect(entries.find((entry) => entry.path === link)).toMatchObject({ landing: path === 'l' ? 'real/a' : 'real' });
    const { facts: written, created } = await volume.write(path, Buffer.from('new'), {
      ...ANYTHING,
      expectedRevision: facts.revision,
      expectedLanding: 'real/a',
    });
    expect([written.landing, created]).toEqual(['real/a', false]);
    expect(readFileSync(join(volume.root, 'files', 'real', 'a'), 'utf8')).toBe('new');
    expect(readlinkSync(join(volume.root, 'files', link))).toBe(target);
  });

  it('to a directory are listed and searched where they lead', async () => {
    const volume = await planted('l', 'real');
    expect(await volume.list('l', 2, 100)).toEqual({
      landing: 'real',
      entries: [{ path: 'real/a', kind: 'file', size: 1, landing: '' }],
      truncated: false,
    });
    const asked = { patterns: ['x'], caseSensitive: true, directory: 'l', include: '', offset: 0, maxMatches: 10 };
    expect(await searchFiles(volume, asked)).toMatchObject({
      landing: 'real',
      matches: [{ path: 'real/a', line: 1, text: 'x' }],
    });
    // From above it is one tree, and each file is found once.
    expect((await searchFiles(volume, { ...asked, directory: '' })).matches).toHaveLength(1);
  });

  it('to nothing yet land where a write makes the file', async () => {
    const volume = await planted('l', 'real/deeper/new');
    expect(await volume.stat('l')).toMatchObject({ landing: 'real/deeper/new', exists: false, kind: 'missing' });
    await expect(volume.read('l', 10)).rejects.toMatchObject({ code: 'not_found' });
    const { facts, created } = await volume.write('l', Buffer.from('made'), {
      ...ANYTHING,
      expectedRevision: 'absent',
    });
    expect([facts.landing, created]).toEqual(['real/deeper/new', true]);
    expect(await volume.stat('l')).toEqual(facts);
  });

  it('that lead elsewhere by now take no write meant for where they led', async () => {
    const volume = await planted('l', 'real/a');
    await volume.write('other', Buffer.from('precious'), ANYTHING);
    rmSync(join(volume.root, 'files', 'l'));
    symlinkSync('other', join(volume.root, 'files', 'l'));
    for (const path of ['l', 'real/a']) {
      if (path === 'real/a') {
        rmSync(join(volume.root, 'files', 'real', 'a'));
        symlinkSync('../other', join(volume.root, 'files', 'real', 'a'));
      }
      await expect(
        volume.write(path, Buffer.from('mine'), { ...ANYTHING, expectedLanding: 'real/a' }),
      ).rejects.toMatchObject({ code: 'version_conflict' });
    }
    expect(readFileSync(join(volume.root, 'files', 'other'), 'utf8')).toBe('precious');
  });

  it('never let a directory that is swapped under a walk lead outside', async () => {
    const volume = await planted('unused', 'real');
    const files = join(volume.root, 'files');
    mkdirSync(join(base, 'outside'));
    writeFileSync(join(base, 'outside', 'a'), 'host secret');
    const real = join(files, 'real');
    const swap = (put: () => void): void => {
      for (;;) {
        rmSync(real, { recursive: true, force: true });
        try {
          return put();
        } catch (error) {
          if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
        }
      }
    };
    let swapping = true;
    const swapper = (async () => {
      for (let n = 0; swapping; n += 1) {
        renameSync(real, join(base, `kept${n}`));
        // A writer may have made the directory afresh in between; it gives way.
        swap(() => symlinkSync(join(base, 'outside'), real));
        await new Promise(setImmediate);
        swap(() => renameSync(join(base, `kept${n}`), real));
        await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    for (let n = 0; n < 100; n += 1) {
      const read = await volume.read('real/a', 100).then(
        ({ content }) => Buffer.from(content).toString('utf8'),
        (error: { code: string }) => error.code,
      );
      seen.add(read);
      await volume.write('real/b', Buffer.from('mine'), ANYTHING).catch(() => undefined);
    }
    swapping = false;
    await swapper;
    expect([...seen]).not.toContain('host secret');
    expect(readdirSync(join(base, 'outside'))).toEqual(['a']);
  }, 60_000);

  it('never let a link that is swapped between a look and a write take what was meant for another file', async () => {
    const volume = await planted('l', 'real/a');
    const files = join(volume.root, 'files');
    for (const [name, text] of [
      ['one', 'first'],
      ['two', 'second'],
    ] as const)
      await volume.write(name, Buffer.from(text), ANYTHING);
    let swapping = true;
    const swapper = (async () => {
      for (let n = 0; swapping; n += 1) {
        symlinkSync(n % 3 === 0 ? join(base, 'secret') : n % 3 === 1 ? 'two' : 'one', join(files, 'fresh'));
        renameSync(join(files, 'fresh'), join(files, 'l'));
        await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    for (let n = 0; n < 200; n += 1) {
      const answer = await volume.read('l', 100).then(
        ({ content, facts }) => `${facts.landing} ${Buffer.from(content).toString('utf8')}`,
        (error: { code: string }) => error.code,
      );
      seen.add(answer);
      await volume.write('l', Buffer.from('first'), { ...ANYTHING, expectedLanding: 'one' }).catch(() => undefined);
    }
    swapping = false;
    await swapper;
    // What is answered is of the file that is named with it, and a write is where it was meant or nowhere.
    const possible = ['one first', 'two second', 'invalid_argument', 'version_conflict'];
    expect([...seen].filter((answer) => !possible.includes(answer))).toEqual([]);
    expect(readFileSync(join(files, 'two'), 'utf8')).toBe('second');
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('host secret');
  }, 60_000);
});

describe('a file that a program changed', () => {
  it('has another revision, also with its size and time set back', async () => {
    const volume = await openVolume();
    const { facts } = await volume.write('a', Buffer.from('one'), ANYTHING);
    const path = join(volume.root, 'files', 'a');
    const [entry] = (await takeInventory(volume.root)).entries;
    await new Promise((resolve) => setTimeout(resolve, 40));
    await volume.stat('a');
    writeFileSync(path, 'two');
    const seconds = secondsOf(entry?.modified ?? 0);
    utimesSync(path, seconds, seconds);
    const after = await volume.stat('a');
    expect(after.size).toBe(facts.size);
    expect(after.revision).not.toBe(facts.revision);
    await expect(
      volume.write('a', Buffer.from('three'), { ...ANYTHING, expectedRevision: facts.revision }),
    ).rejects.toMatchObject({ code: 'version_conflict' });
  });
});

describe('an inventory', () => {
  it('is the way back: files, modes, links and times, and nothing that is none of these', async () => {
    const volume = await openVolume();
    await volume.write('dir/run.sh', Buffer.from('#!'), { ...ANYTHING, operationId: 'op_1' });
    const files = join(volume.root, 'files');
    symlinkSync('../../secret', join(files, 'out'));
    writeFileSync(join(files, 'bad\nname'), 'x');
    const { entries, leftOut } = await takeInventory(volume.root);
    expect(leftOut).toBe(1);
    const back = await openVolume();
    for (const entry of entries) {
      const content = entry.digest === '' ? Buffer.alloc(0) : await readContent(volume.root, entry);
      await restoreEntry(back.root, entry, content);
    }
    expect(readFileSync(join(back.root, 'files', 'dir', 'run.sh'), 'utf8')).toBe('#!');
    expect(readlinkSync(join(back.root, 'files', 'out'))).toBe('../../secret');
    expect(await back.stat('dir/run.sh')).toEqual(await volume.stat('dir/run.sh'));
    expect((await takeInventory(back.root)).entries).toEqual(
      entries.map((entry) => (entry.kind === 'file' ? entry : { ...entry, modified: expect.any(Number) })),
    );
  });

  it('gives no content through a link, and none that has changed', async () => {
    const volume = await openVolume();
    await volume.write('a', Buffer.from('one'), ANYTHING);
    const [entry] = (await takeInventory(volume.root)).entries;
    if (entry === undefined) throw new Error('no entry');
    writeFileSync(join(volume.root, 'files', 'a'), 'other');
    await expect(readContent(volume.root, entry)).rejects.toMatchObject({ code: 'version_conflict' });
    rmSync(join(volume.root, 'files', 'a'));
    symlinkSync(join(base, 'secret'), join(volume.root, 'files', 'a'));
    await expect(readContent(volume.root, entry)).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(restoreEntry(volume.root, { ...entry, path: '../x' }, Buffer.from('x'))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});
