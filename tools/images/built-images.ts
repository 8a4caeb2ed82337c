/** Where built images lie and what they are: named by everything they are made from, complete or not there. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inputDigest } from '../build/input-digest.ts';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { cacheDirectory } from '../stack/traversable.ts';

export const IMAGE_NAMES = ['bash', 'python', 'node', 'servers'] as const;
export type ImageName = (typeof IMAGE_NAMES)[number];

export interface BuiltImage {
  /** `sha256:…` of the OCI manifest: same content, same digest, on whatever machine. */
  readonly digest: string;
  /** Digests of the layers' tar archives, lowest first. */
  readonly layers: readonly string[];
  /** Directory of the unpacked image, relative to the directory of `images.json`. */
  readonly tree: string;
  /** Path of the interpreter inside. */
  readonly interpreter: string;
  /** Unpacked, files shared with other images counted too. */
  readonly bytes: number;
}

export interface BuiltImages {
  readonly version: 1;
  readonly images: Readonly<Record<ImageName, BuiltImage>>;
}

/** The platform's own images are made beside these, and a change of theirs changes nothing here. */
const inputs = (): string[] =>
  readdirSync(path.join(checkout, 'tools', 'images'))
    .filter((name) => name !== 'platform')
    .sort()
    .map((name) => `tools/images/${name}`);

/** What the image of the language servers takes from the checkout's own packages, which its lock names. */
export const languageServerPackages = (): { name: string; version: string; directory: string }[] =>
  ['typescript', 'typescript-language-server', 'pyright'].map((name) => {
    const directory = path.join(checkout, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as { version: string };
    return { name, version, directory };
  });

/** Changes whenever anything an image is made from does. */
export const imagesKey = (): string => {
  const node = statSync(nodeProgram());
  const hash = createHash('sha256').update(inputDigest(checkout, inputs()));
  return hash
    .update(`${readFileSync(path.join(nodeProgram(), '..', '..', 'package.json'), 'utf8')} ${node.size}`)
    .update(
      languageServerPackages()
        .map(({ name, version }) => `${name} ${version}`)
        .join('\n'),
    )
    .digest('hex')
    .slice(0, 24);
};

/** Root shares them through the system's cache, because the sandbox's own users read them. */
export const imagesDirectory = (): string => path.join(cacheDirectory(), `images-${imagesKey()}`);

export const readImages = (directory: string): BuiltImages | undefined => {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'images.json'), 'utf8')) as BuiltImages;
  } catch {
    return undefined;
  }
};
