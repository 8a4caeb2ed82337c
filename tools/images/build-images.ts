/** Builds the sandbox's images once per machine and state of their locks, or finds them built; never runs a package's script. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nodeProgram } from '../stack/checkout.ts';
import { isRoot } from '../stack/machine.ts';
import {
  IMAGE_NAMES,
  imagesDirectory,
  languageServerPackages,
  readImages,
  type BuiltImage,
  type BuiltImages,
  type ImageName,
} from './built-images.ts';
import { readDebianLock } from './debian-lock.ts';
import { fetchDebianPackages, fetchNodeModules, fetchPythonModules } from './fetch-parts.ts';
import { addLanguageServers, addNode, compilePython, finishTree, layBase, shareTree, unpack } from './image-tree.ts';
import { archive, describeImage, namesIn } from './oci-layout.ts';
import { shell } from './shell.ts';

const INTERPRETERS: Readonly<Record<ImageName, string>> = {
  bash: '/bin/bash',
  python: '/usr/bin/python3',
  node: '/usr/local/bin/node',
  // It carries the plan out that starts a server.
  servers: '/usr/bin/python3',
};
const PYTHON_MODULES = '/usr/local/lib/python3.11/dist-packages';

type Say = (sentence: string) => void;

/** The base of every image, and the whole of the bash image. */
export const layBashTree = async (tree: string, packages: readonly string[]): Promise<void> => {
  await layBase(tree, packages);
  await finishTree(tree);
};

/** Lays out the three trees under `work`. The base is the bash image; the others are it and more. */
const layTrees = async (work: string, say: Say): Promise<void> => {
  const lock = readDebianLock();
  const at = (name: string): string => path.join(work, name);
  const packages = [...lock.base, ...lock.python, ...lock.node];
  say(`fetching ${packages.length} Debian packages, 4 Python and 9 npm packages`);
  const [files, , modules] = await Promise.all([
    fetchDebianPackages(at('debs'), packages),
    fetchPythonModules(at('python-modules')),
    fetchNodeModules(at('npm')),
  ]);
  const [base, python] = [
    files.slice(0, lock.base.length),
    files.slice(lock.base.length, lock.base.length + lock.python.length),
  ];
  say('bash image');
  await layBashTree(at('bash'), base);
  say('python image');
  await shareTree(at('bash'), at('python'));
  await unpack(at('python'), python);
  mkdirSync(path.join(at('python'), path.dirname(PYTHON_MODULES)), { recursive: true });
  rmSync(path.join(at('python'), PYTHON_MODULES), { recursive: true, force: true });
  await shell('cp', ['-a', at('python-modules'), path.join(at('python'), PYTHON_MODULES)]);
  await compilePython(
    at('python'),
    ['/usr/lib/python3.11', '/usr/lib/python3', PYTHON_MODULES].filter((each) =>
      existsSync(path.join(at('python'), each)),
    ),
  );
  await finishTree(at('python'));
  say('node image');
  await shareTree(at('bash'), at('node'));
  await unpack(at('node'), files.slice(lock.base.length + lock.python.length));
  addNode(at('node'), nodeProgram(), modules);
  await finishTree(at('node'));
  say('language server image');
  await shareTree(at('python'), at('servers'));
  await unpack(at('servers'), files.slice(lock.base.length + lock.python.length));
  addLanguageServers(at('servers'), at('node'), languageServerPackages());
  await finishTree(at('servers'));
};

/** The layers of each image: the base, and what is beyond it. */
export const layersOf = async (directory: string, name: ImageName): Promise<{ tree: string; names: string[] }[]> => {
  const base = path.join(directory, 'bash');
  const baseNames = await namesIn(base);
  const layers = [{ tree: base, names: baseNames }];
  if (name === 'bash') return layers;
  const tree = path.join(directory, name);
  const known = new Set(baseNames);
  return [...layers, { tree, names: (await namesIn(tree)).filter((each) => !known.has(each)) }];
};

const describe = async (directory: string): Promise<BuiltImages> => {
  const images: Partial<Record<ImageName, BuiltImage>> = {};
  const base = await archive(path.join(directory, 'bash'), (await layersOf(directory, 'bash'))[0]?.names ?? []);
  for (const name of IMAGE_NAMES) {
    const own = (await layersOf(directory, name))[1];
    const layers = [base, ...(own === undefined ? [] : [await archive(own.tree, own.names)])];
    const { manifest } = describeImage(layers);
    images[name] = {
      digest: manifest.digest,
      layers: layers.map(({ digest }) => digest),
      tree: name,
      interpreter: INTERPRETERS[name],
      bytes: layers.reduce((sum, { size }) => sum + size, 0),
    };
  }
  return { version: 1, images: images as Record<ImageName, BuiltImage> };
};

/** Why images cannot be built here, or ''. */
export const buildObstacle = (): string => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `images are for Linux x86-64, and this is ${process.platform} ${process.arch}`;
  if (!isRoot()) return 'unpacking images needs root';
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return 'there is no apt-get here';
  return '';
};

/** Builds into `target`, which is there as a whole or not at all. Throws with what could not be had. */
export const buildImagesInto = async (target: string, say: Say): Promise<BuiltImages> => {
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o755 });
  const work = mkdtempSync(`${target}.`);
  try {
    await layTrees(work, say);
    for (const name of ['debs', 'python-modules', 'npm'])
      rmSync(path.join(work, name), { recursive: true, force: true });
    say('digests');
    const built = await describe(work);
    writeFileSync(path.join(work, 'images.json'), `${JSON.stringify(built, null, 2)}\n`);
    for (const directory of [path.dirname(target), work]) chmodSync(directory, 0o755);
    if (!existsSync(target)) renameSync(work, target);
    return built;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

export interface ImagesHere {
  readonly directory: string;
  readonly images: BuiltImages['images'];
}

/** Finds or builds the images of this checkout; undefined, with the reason said, where they cannot be had. */
export const ensureImages = async (say: Say): Promise<ImagesHere | undefined> => {
  const directory = imagesDirectory();
  const known = readImages(directory);
  if (known !== undefined) return { directory, images: known.images };
  try {
    const obstacle = buildObstacle();
    if (obstacle !== '') throw new Error(obstacle);
    say("building the sandbox's images, once for this machine (half a minute, 30 MB to fetch)");
    return { directory, images: (await buildImagesInto(directory, say)).images };
  } catch (error) {
    say(
      `No sandbox images (${(error as Error).message}): programs get this machine's own interpreters, read-only, without polib, babel, lxml, pyyaml, i18next, the ICU parser, yaml and csv. "./bravo images build" tries again.`,
    );
    return undefined;
  }
};
