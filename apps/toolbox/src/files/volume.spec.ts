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
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WriteConditions } from '@bravo/workspace-files';
import { secondsOf } from './file-facts.ts';
import { readContent, restoreEntry, takeInventory } from './inventory.ts';
import { Volume } from './volume.ts';

const ANYTHING: WriteConditions = { expectedRevision: '', operationId: '' };
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

describe('links that somebody planted [workspace.confined]', () => {
  const planted = async (link: string, target: string): Promise<Volume> => {
    const volume = await openVolume();
    await volume.write('real/a', Buffer.from('x'), ANYTHING);
    symlinkSync(target, join(volume.root, 'files', link));
    return volume;
  };

  it.each([
    ['to a host file', 'l', 'l', () => join(base, 'secret')],
    ['to a host directory', 'l', 'l/secret', () => base],
    ['within the workspace', 'l', 'l/a', () => 'real'],
    ['to itself', 'l', 'l', () => 'l'],
  ])('%s are not followed', async (_, link, path, target) => {
    const volume = await planted(link, target());
    const refused = { code: 'invalid_argument' };
    await expect(volume.read(path, 100)).rejects.toMatchObject(refused);
    await expect(volume.stat(path)).rejects.toMatchObject(refused);
    await expect(volume.write(path, Buffer.from('y'), ANYTHING)).rejects.toMatchObject(refused);
    await expect(volume.list(link, 2, 100)).rejects.toMatchObject(refused);
    const { entries } = await volume.list('', 5, 100);
    expect(entries.map(({ path: each, kind }) => `${kind} ${each}`)).toEqual([
      'link l',
      'directory real',
      'file real/a',
    ]);
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('host secret');
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
    await volume.write('dir/run.sh', Buffer.from('#!'), { expectedRevision: '', operationId: 'op_1' });
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
