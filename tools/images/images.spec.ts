import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildObstacle, layBashTree, layersOf } from './build-images.ts';
import { IMAGE_NAMES, readImages, type BuiltImages } from './built-images.ts';
import { readDebianLock } from './debian-lock.ts';
import { fetchDebianPackages } from './fetch-parts.ts';
import { archive, namesIn, writeLayout } from './oci-layout.ts';

describe('the lock of the images [sandbox.images]', () => {
  it('names every package once, with an exact version and a digest', () => {
    const { base, python, node } = readDebianLock();
    const all = [...base, ...python, ...node];
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    for (const { name, version, sha256 } of all) {
      expect([name, version]).toEqual([
        expect.stringMatching(/^[a-z0-9][a-z0-9+.-]+$/),
        expect.stringMatching(/^[0-9][\w.+:~-]*$/),
      ]);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(base.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['bash', 'coreutils', 'grep', 'sed', 'mawk', 'jq', 'findutils', 'diffutils']),
    );
  });
});

// The run of the tests has built them where it could, and says so in this variable.
const directory = process.env['BRAVO_TEST_SANDBOX_IMAGES'] ?? '';
const built = directory === '' ? undefined : readImages(directory);

(built === undefined ? describe.skip : describe)('built images', () => {
  const { images } = built ?? ({ images: {} } as BuiltImages);
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'bravo-images-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it('have the same digest when they are built again', async () => {
    expect(buildObstacle()).toBe('');
    const tree = path.join(scratch, 'bash');
    await layBashTree(tree, await fetchDebianPackages(path.join(scratch, 'debs'), readDebianLock().base));
    expect((await archive(tree, await namesIn(tree))).digest).toBe(images.bash.layers[0]);
  }, 120_000);

  it('hold nothing set-uid, nothing others may write, and no link out', async () => {
    for (const name of IMAGE_NAMES) {
      const tree = path.join(directory, name);
      const flawed: string[] = [];
      for (const entry of await namesIn(tree)) {
        const status = statSync(path.join(tree, entry), { throwIfNoEntry: false });
        if (status === undefined || entry === './tmp') continue;
        if ((status.mode & 0o6002) !== 0 && !status.isSymbolicLink()) flawed.push(entry);
      }
      expect(flawed).toEqual([]);
    }
  });

  it('are written as an OCI image layout whose every digest is its content', async () => {
    const layout = path.join(scratch, 'layout');
    const image = images.bash;
    const parts = await layersOf(directory, 'bash');
    await writeLayout(layout, [
      {
        name: 'bash',
        digest: image.digest,
        layers: parts.map((part, at) => ({ ...part, digest: image.layers[at] ?? '' })),
      },
    ]);
    const blobs = path.join(layout, 'blobs', 'sha256');
    for (const name of readdirSync(blobs)) {
      expect(
        createHash('sha256')
          .update(readFileSync(path.join(blobs, name)))
          .digest('hex'),
      ).toBe(name);
    }
    const read = (file: string) => JSON.parse(readFileSync(path.join(layout, file), 'utf8')) as Record<string, never>;
    expect(read('oci-layout')).toEqual({ imageLayoutVersion: '1.0.0' });
    expect(read('index.json')).toMatchObject({ manifests: [{ digest: image.digest }] });
    const manifest = read(path.join('blobs', 'sha256', image.digest.slice(7)));
    expect(manifest).toMatchObject({ schemaVersion: 2, layers: [{ digest: image.layers[0], size: image.bytes }] });
  }, 60_000);
});
