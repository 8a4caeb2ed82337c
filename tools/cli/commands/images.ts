/** `images`: builds the sandbox's or the platform's images, says what is built, and writes an OCI image layout; it never pushes anything. */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { buildImagesInto, buildObstacle, layersOf } from '../../images/build-images.ts';
import { IMAGE_NAMES, imagesDirectory, readImages, type BuiltImages } from '../../images/built-images.ts';
import { writeLayout } from '../../images/oci-layout.ts';
import { ensurePlatformImages } from '../../images/platform/build-platform-images.ts';
import { CommandError, type Command } from '../command.ts';
import { printLine } from '../output.ts';

const tell = (directory: string, { images }: BuiltImages): void => {
  printLine(directory);
  for (const name of IMAGE_NAMES) {
    const { digest, bytes } = images[name];
    printLine(`  ${name.padEnd(7)} ${digest}  ${Math.round(bytes / 1024 / 1024)} MiB`);
  }
};

const built = (): { directory: string; found: BuiltImages } => {
  const directory = imagesDirectory();
  const found = readImages(directory);
  if (found === undefined) throw new CommandError('The images of this checkout are not built: "./bravo images build".');
  return { directory, found };
};

const exportTo = async (target: string): Promise<void> => {
  const { directory, found } = built();
  if (existsSync(target) && readdirSync(target).length > 0) throw new CommandError(`${target} is not empty.`, 2);
  const images = [];
  for (const name of IMAGE_NAMES) {
    const { digest, layers } = found.images[name];
    const parts = await layersOf(directory, name);
    images.push({ name, digest, layers: parts.map((part, at) => ({ ...part, digest: layers[at] ?? '' })) });
  }
  await writeLayout(target, images);
  printLine(
    `${target} holds the images as an OCI image layout; for example: skopeo copy oci:${target}:bravo-sandbox-python …`,
  );
};

const MIB = 1024 * 1024;

/** Builds what the chart installs and copies the layout where it was asked for. */
const platform = async (target: string | undefined): Promise<void> => {
  if (target !== undefined && existsSync(target) && readdirSync(target).length > 0)
    throw new CommandError(`${target} is not empty.`, 2);
  const { directory, built } = await ensurePlatformImages(printLine);
  for (const { name, digest, compressed, packages } of built.images)
    printLine(`  bravo/${name}:${built.tag}  ${digest}  ${Math.round(compressed / MIB)} MiB, ${packages} npm packages`);
  if (target !== undefined) cpSync(directory, target, { recursive: true });
  printLine(`${target ?? directory} is an OCI image layout of them, with a bill of materials each in sbom/.`);
};

export const command: Command = {
  summary:
    "The sandbox's images (python, node, bash): build them, list what is built, or write them as an OCI image layout; platform: the images the Helm chart installs, built without a container engine or a registry.",
  usage: 'images [build|list|export DIRECTORY|platform [DIRECTORY]]',
  run: async ({ args }) => {
    const [verb = 'list', target, ...rest] = args;
    if (verb === 'platform' && rest.length === 0) {
      await platform(target === undefined ? undefined : path.resolve(target));
      return 0;
    }
    if (rest.length > 0 || (verb === 'export') !== (target !== undefined))
      throw new CommandError(`Usage: ./bravo ${command.usage}`, 2);
    if (verb === 'export') {
      await exportTo(path.resolve(target ?? ''));
      return 0;
    }
    if (verb === 'build') {
      const directory = imagesDirectory();
      const known = readImages(directory);
      if (known === undefined && buildObstacle() !== '')
        throw new CommandError(`The images cannot be built: ${buildObstacle()}.`);
      tell(directory, known ?? (await buildImagesInto(directory, printLine)));
      return 0;
    }
    if (verb !== 'list') throw new CommandError(`Usage: ./bravo ${command.usage}`, 2);
    const { directory, found } = built();
    tell(directory, found);
    return 0;
  },
};
