/** Builds the platform's images without a container engine or registry; the same checkout gives the same digests. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { runBuild } from '../../build/run-build.ts';
import { inputDigest } from '../../build/input-digest.ts';
import { checkout } from '../../stack/checkout.ts';
import { findNatsServer } from '../../stack/nats-program.ts';
import { cacheDirectory } from '../../stack/traversable.ts';
import { buildImagesInto, buildObstacle } from '../build-images.ts';
import { imagesDirectory, imagesKey, readImages } from '../built-images.ts';
import { PLATFORM_IMAGES, type PlatformImage } from './catalogue.ts';
import { layBase, layProgram, settleTree, type LayFacts } from './lay-image.ts';
import { packImage, packLayer, writeIndex, type PackedLayer } from './pack-image.ts';
import { billOfMaterials } from './write-sbom.ts';

export interface BuiltPlatformImage {
  readonly name: string;
  /** Of the OCI manifest. */
  readonly digest: string;
  readonly manifestSize: number;
  readonly layers: readonly PackedLayer[];
  /** All layers, compressed, bytes. */
  readonly compressed: number;
  /** npm packages inside. */
  readonly packages: number;
}

export interface BuiltPlatformImages {
  readonly version: 1;
  /** Tag that names this state of the checkout. */
  readonly tag: string;
  readonly images: readonly BuiltPlatformImage[];
}

type Say = (sentence: string) => void;

/** Bundles what only the setup image runs, with the migrations it applies. */
const bundleSetup = async (work: string): Promise<LayFacts['bundled']> => {
  const outfile = path.join(work, 'setup.mjs');
  await build({
    absWorkingDir: checkout,
    entryPoints: [path.join(checkout, 'tools/cluster/setup.main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['source'],
    external: ['pg-native'],
    banner: {
      js: "import{createRequire as bravoCreateRequire}from'node:module';const require=bravoCreateRequire(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'silent',
    outfile,
  });
  const migrations = [
    'identity',
    'agent-orchestrator',
    'model-gateway',
    'tool-broker',
    'sandbox-runner',
    'audit',
    'automation',
    'egress',
  ];
  return {
    'tools/cluster/setup.mjs': outfile,
    'node_modules/@prisma/schema-engine-wasm': path.join(checkout, 'node_modules/@prisma/schema-engine-wasm'),
    ...Object.fromEntries(migrations.map((app) => [`apps/${app}/prisma`, path.join(checkout, 'apps', app, 'prisma')])),
  };
};

/** Everything an image is made from; the built output is itself a function of the sources. */
const INPUTS = [
  ...['apps', 'libs', 'deploy/seccomp', 'package-lock.json', '.swcrc'],
  ...['tools/images', 'tools/cluster', 'tools/stack', 'tools/prisma', 'tools/build'],
];

export const platformImagesTag = (): string =>
  createHash('sha256').update(inputDigest(checkout, INPUTS)).update(imagesKey()).digest('hex').slice(0, 12);

export const platformImagesDirectory = (tag = platformImagesTag()): string =>
  path.join(cacheDirectory(), `platform-${tag}`);

export const readPlatformImages = (directory: string): BuiltPlatformImages | undefined => {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'platform.json'), 'utf8')) as BuiltPlatformImages;
  } catch {
    return undefined;
  }
};

const sandboxNodeTree = async (say: Say): Promise<string> => {
  const directory = imagesDirectory();
  if (readImages(directory) === undefined) {
    const obstacle = buildObstacle();
    if (obstacle !== '')
      throw new Error(`The images' libraries come from the sandbox's images, which cannot be built: ${obstacle}.`);
    say("the sandbox's images, whose locked libraries are shared");
    await buildImagesInto(directory, say);
  }
  return path.join(directory, 'node');
};

/** No image may grow past this, compressed. */
const MOST_BYTES = 120 * 1024 * 1024;

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

/** Builds `images` into an OCI layout at `target`, which must not exist yet. */
export const buildPlatformImagesInto = async (
  target: string,
  tag: string,
  say: Say,
  images: readonly PlatformImage[] = PLATFORM_IMAGES,
): Promise<BuiltPlatformImages> => {
  const sandboxNode = await sandboxNodeTree(say);
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o755 });
  const work = mkdtempSync(`${target}.`);
  try {
    const layout = path.join(work, 'layout');
    mkdirSync(layout);
    const natsServer = images.some(({ extra }) => extra === 'nats') ? await findNatsServer(say) : '';
    const bundled = images.some(({ name }) => name === 'setup') ? await bundleSetup(work) : {};
    const baseTree = path.join(work, 'base');
    layBase(baseTree, sandboxNode);
    await settleTree(baseTree);
    const base = await packLayer(layout, baseTree);
    say(`base ${mebibytes(base.size)}: Node and the libraries it is linked with`);
    mkdirSync(path.join(layout, 'sbom'));
    const built: BuiltPlatformImage[] = [];
    for (const [at, image] of images.entries()) {
      const tree = path.join(work, image.name);
      const packages = await layProgram(tree, image, { root: checkout, sandboxNode, natsServer, bundled });
      await settleTree(tree);
      const layers = [base, await packLayer(layout, tree)];
      rmSync(tree, { recursive: true });
      const { digest, size } = packImage(layout, { title: image.title, command: image.command, layers });
      const compressed = layers.reduce((sum, layer) => sum + layer.size, 0);
      if (compressed > MOST_BYTES)
        throw new Error(
          `The image ${image.name} has ${mebibytes(compressed)}, more than the ${mebibytes(MOST_BYTES)} an image may have.`,
        );
      const bill = billOfMaterials(checkout, image, packages, digest);
      writeFileSync(path.join(layout, 'sbom', `${image.name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
      built.push({ name: image.name, digest, manifestSize: size, layers, compressed, packages: packages.length });
      say(`${at + 1}/${images.length} ${image.name.padEnd(18)} ${mebibytes(compressed).padStart(8)}  ${digest}`);
    }
    const result: BuiltPlatformImages = { version: 1, tag, images: built };
    writeIndex(
      layout,
      built.map(({ name, digest, manifestSize }) => ({
        reference: `bravo/${name}:${tag}`,
        digest,
        size: manifestSize,
      })),
    );
    writeFileSync(path.join(layout, 'platform.json'), `${JSON.stringify(result, null, 2)}\n`);
    if (!existsSync(target)) renameSync(layout, target);
    return result;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

/** Finds or builds the images of this checkout. */
export const ensurePlatformImages = async (say: Say): Promise<{ directory: string; built: BuiltPlatformImages }> => {
  const tag = platformImagesTag();
  const directory = platformImagesDirectory(tag);
  const known = readPlatformImages(directory);
  if (known !== undefined) return { directory, built: known };
  await runBuild(checkout, { say: (step) => say(`build ${step}`) });
  return { directory, built: await buildPlatformImagesInto(directory, tag, say) };
};
