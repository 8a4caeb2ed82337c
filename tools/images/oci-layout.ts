/** The same trees as an OCI image layout: reproducible layer archives, so that an image has one digest wherever it is built. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EPOCH } from './image-tree.ts';
import { shell } from './shell.ts';

export interface Layer {
  readonly digest: string;
  readonly size: number;
}

/** Everything below a tree, sorted by bytes, relative to it. */
export const namesIn = async (tree: string): Promise<string[]> => {
  const said = await shell('find', ['.', '-mindepth', '1', '-print0'], { cwd: tree });
  return said
    .split('\0')
    .filter(Boolean)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
};

const TAR = [
  '--create',
  '--no-recursion',
  '--null',
  '--verbatim-files-from',
  '--files-from=-',
  '--format=pax',
  '--hard-dereference',
];
const SAME = [
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  `--mtime=@${EPOCH}`,
  '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
];

/** Archives the named entries of a tree; into `file` where one is given. */
export const archive = async (tree: string, names: readonly string[], file?: string): Promise<Layer> => {
  const tar = spawn('tar', [...TAR, ...SAME], { cwd: tree, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('close', resolve);
  });
  tar.stdin.end(names.map((name) => `${name}\0`).join(''));
  const hash = createHash('sha256');
  let size = 0;
  const counted = new PassThrough();
  counted.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    size += chunk.length;
  });
  if (file === undefined) counted.resume();
  await pipeline(tar.stdout, counted, ...(file === undefined ? [] : [createWriteStream(file)]));
  if ((await ended) !== 0) throw new Error(`tar could not archive ${tree}`);
  return { digest: `sha256:${hash.digest('hex')}`, size };
};

const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

interface Document {
  readonly bytes: Buffer;
  readonly digest: string;
}

const documentOf = (value: object): Document => {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
};

export const describeImage = (layers: readonly Layer[]): { config: Document; manifest: Document } => {
  const config = documentOf({
    created: new Date(EPOCH * 1000).toISOString(),
    architecture: 'amd64',
    os: 'linux',
    config: { User: '1000:1000', WorkingDir: '/workspace', Env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'LANG=C.UTF-8'] },
    rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
    history: [],
  });
  const manifest = documentOf({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: CONFIG, digest: config.digest, size: config.bytes.length },
    layers: layers.map(({ digest, size }) => ({ mediaType: LAYER, digest, size })),
  });
  return { config, manifest };
};

export interface ExportedImage {
  readonly name: string;
  readonly digest: string;
  readonly layers: readonly { readonly tree: string; readonly names: readonly string[]; readonly digest: string }[];
}

/** Writes the layout. Throws when a tree no longer is what its digest says. */
export const writeLayout = async (directory: string, images: readonly ExportedImage[]): Promise<void> => {
  const blobs = path.join(directory, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (digest: string): string => path.join(blobs, digest.slice('sha256:'.length));
  const manifests: object[] = [];
  for (const image of images) {
    const layers: Layer[] = [];
    for (const { tree, names, digest } of image.layers) {
      const partial = `${blob(digest)}.partial`;
      const layer = await archive(tree, names, partial);
      if (layer.digest !== digest) {
        rmSync(partial, { force: true });
        throw new Error(
          `The files of the image ${image.name} were changed since it was built: remove ${path.dirname(tree)} and build again.`,
        );
      }
      renameSync(partial, blob(digest));
      layers.push(layer);
    }
    const { config, manifest } = describeImage(layers);
    if (manifest.digest !== image.digest) throw new Error(`The image ${image.name} is not the one that was built.`);
    for (const { digest, bytes } of [config, manifest])
      if (!existsSync(blob(digest))) writeFileSync(blob(digest), bytes);
    manifests.push({
      mediaType: MANIFEST,
      digest: manifest.digest,
      size: manifest.bytes.length,
      annotations: { 'org.opencontainers.image.ref.name': `bravo-sandbox-${image.name}` },
      platform: { architecture: 'amd64', os: 'linux' },
    });
  }
  writeFileSync(path.join(directory, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(path.join(directory, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
};
