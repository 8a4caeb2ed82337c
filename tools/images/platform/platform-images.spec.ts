/** What is in an image of the platform: the same bytes each time, what the program imports, and nothing that only builds or tests. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkout } from '../../stack/checkout.ts';
import { buildObstacle } from '../build-images.ts';
import { PLATFORM_IMAGES, type PlatformImage } from './catalogue.ts';
import { layProgram, settleTree } from './lay-image.ts';
import { packImage, packLayer, writeIndex } from './pack-image.ts';
import { traceProgram } from './trace-program.ts';
import { billOfMaterials } from './write-sbom.ts';

const imageOf = (name: string): PlatformImage => {
  const found = PLATFORM_IMAGES.find((image) => image.name === name);
  if (!found) throw new Error(`no image ${name}`);
  return found;
};

describe('the catalogue of images', () => {
  it('names what the build makes, and one program each', () => {
    for (const { entries, data, command } of PLATFORM_IMAGES) {
      for (const each of [...entries, ...data])
        expect([each, existsSync(path.join(checkout, each))]).toEqual([each, true]);
      expect(command[0]).toMatch(/^\/usr\/local\/bin\//);
    }
  });

  it('gives a service what it imports and nothing that builds or tests', async () => {
    const { packages, files } = await traceProgram(checkout, imageOf('egress').entries);
    expect(packages).toEqual(
      expect.arrayContaining(['node_modules/@nestjs/core', 'node_modules/zod', 'node_modules/pg']),
    );
    for (const name of ['jest', 'typescript', 'esbuild', 'prisma', 'nx', 'eslint', 'playwright-core', 'react', 'ai'])
      expect(packages).not.toContain(`node_modules/${name}`);
    expect(files.filter((file) => /^apps\/(?!egress\/)/.test(file))).toEqual([]);
    expect(files.filter((file) => /\.(fixture|spec|contract)\./.test(file))).toEqual([]);
  }, 180_000);
});

(buildObstacle() === '' ? describe : describe.skip)('an image', () => {
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'bravo-platform-images-'));
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const build = async (name: string, round: string) => {
    const image = imageOf(name);
    const tree = path.join(scratch, round, name);
    const layout = path.join(scratch, round, 'layout');
    const facts = { root: checkout, sandboxNode: '', natsServer: '', bundled: {} };
    const packages = await layProgram(tree, image, facts);
    await settleTree(tree);
    const layers = [await packLayer(layout, tree)];
    const packed = packImage(layout, { title: image.title, command: image.command, layers });
    writeIndex(layout, [{ reference: `bravo/${name}:spec`, ...packed }]);
    return { tree, layout, packed, packages, image };
  };

  it('has one digest, built twice, runs as nobody in particular, and has a bill of what is in it', async () => {
    const [first, second] = [await build('egress', 'first'), await build('egress', 'second')];
    expect(second.packed).toEqual(first.packed);
    const read = (digest: string) =>
      JSON.parse(readFileSync(path.join(first.layout, 'blobs', 'sha256', digest.slice(7)), 'utf8')) as Record<
        string,
        never
      >;
    const manifest = read(first.packed.digest) as unknown as { config: { digest: string } };
    expect(read(manifest.config.digest)).toMatchObject({
      config: { User: '10001:10001', Entrypoint: [...first.image.command] },
    });
    const bill = billOfMaterials(checkout, first.image, first.packages, first.packed.digest) as {
      components: { purl: string; version: string }[];
    };
    const nest = JSON.parse(readFileSync(path.join(checkout, 'node_modules/@nestjs/core/package.json'), 'utf8')) as {
      version: string;
    };
    expect(bill.components.map(({ purl }) => purl)).toEqual(
      expect.arrayContaining([
        `pkg:npm/%40nestjs/core@${nest.version}`,
        expect.stringMatching(/^pkg:deb\/debian\/libc6@/),
      ]),
    );
    expect(bill).toEqual(billOfMaterials(checkout, second.image, second.packages, second.packed.digest));
    expect(readdirSync(path.join(first.tree, 'app', 'apps'))).toEqual(['egress']);
  }, 300_000);
});
