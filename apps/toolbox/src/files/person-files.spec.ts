/** What people do with files on the side that opens them: pages of a listing, reading on from a place, and taking a name away. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WriteConditions } from '@bravo/workspace-files';
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
  base = mkdtempSync(join(tmpdir(), 'bravo-person-files-'));
  writeFileSync(join(base, 'secret'), 'host secret');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a listing in pages', () => {
  it('is the whole listing, whatever the size of its pages', async () => {
    const volume = await openVolume();
    for (const path of ['a', 'b/c', 'b/d/e', 'b-c', 'b/d.txt', 'z/z', 'ä'])
      await volume.write(path, Buffer.from(path), ANYTHING);
    symlinkSync('b/c', join(volume.root, 'files', 'link'));
    const whole = (await volume.list('', 32, 1_000, { withRevisions: true })).entries;
    expect(whole.map(({ path }) => path)).toEqual(
      ['a', 'b', 'b/c', 'b/d', 'b/d/e', 'b/d.txt', 'b-c', 'link', 'z', 'z/z', 'ä'].map((path) => path),
    );
    for (let size = 1; size <= whole.length + 1; size += 1) {
      const pages: (typeof whole)[number][] = [];
      for (let after = ''; ;) {
        const page = await volume.list('', 32, size, { after, withRevisions: true });
        pages.push(...page.entries);
        if (!page.truncated) break;
        after = page.entries.at(-1)?.path ?? '';
      }
      expect(pages).toEqual(whole);
    }
    for (const entry of whole) {
      const { revision } = await volume.stat(entry.path);
      expect(entry.revision ?? '').toBe(entry.kind === 'file' ? revision : '');
    }
    expect((await volume.list('b', 1, 10, { after: 'b/c' })).entries.map(({ path }) => path)).toEqual([
      'b/d',
      'b/d.txt',
    ]);
  });
});

describe('a read from a place', () => {
  it('gives the same bytes as one read, and says whether there are more', async () => {
    const volume = await openVolume();
    const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 256));
    await volume.write('a', bytes, ANYTHING);
    const pieces: Uint8Array[] = [];
    for (let at = 0; ;) {
      const { content, truncated, size } = await volume.read('a', 333, at);
      expect(size).toBe(1_000);
      pieces.push(content);
      at += content.length;
      if (!truncated) break;
    }
    expect(Buffer.concat(pieces)).toEqual(bytes);
    expect(await volume.read('a', 10, 5_000)).toMatchObject({ truncated: false, content: Buffer.alloc(0) });
  });
});

describe('taking a name away [workspace.confined]', () => {
  it('takes a file of the revision that was seen, and no other', async () => {
    const volume = await openVolume();
    const { facts } = await volume.write('d/a', Buffer.from('1'), ANYTHING);
    await volume.write('d/a', Buffer.from('2'), ANYTHING);
    await expect(volume.remove('d/a', facts.revision)).rejects.toMatchObject({ code: 'version_conflict' });
    await expect(volume.remove('d', '')).rejects.toMatchObject({ code: 'conflict' });
    const { revision } = await volume.stat('d/a');
    expect(await volume.remove('d/a', revision)).toEqual({ kind: 'file', revision });
    await expect(volume.remove('d/a', '')).rejects.toMatchObject({ code: 'not_found' });
    expect(await volume.remove('d', '')).toEqual({ kind: 'directory', revision: '' });
    for (const path of ['', '.', '..', '../x', 'a\u202eb', '/etc/passwd'])
      await expect(volume.remove(path, '')).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(volume.remove('x/y', '')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes a link and leaves what it leads to, inside and outside', async () => {
    const volume = await openVolume();
    await volume.write('real/a', Buffer.from('1'), ANYTHING);
    const files = join(volume.root, 'files');
    symlinkSync('real/a', join(files, 'inside'));
    symlinkSync(join(base, 'secret'), join(files, 'outside'));
    symlinkSync(base, join(files, 'way'));
    for (const name of ['inside', 'outside']) expect(await volume.remove(name, '')).toMatchObject({ kind: 'link' });
    await expect(volume.remove('way/secret', '')).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('host secret');
    expect(readFileSync(join(files, 'real', 'a'), 'utf8')).toBe('1');
    expect(existsSync(join(files, 'inside'))).toBe(false);
  });
});
