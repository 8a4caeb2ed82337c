/** Packs laid-out trees as OCI images with compressed layers: same content, same digest, on whatever machine. */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { EPOCH } from '../image-tree.ts';
import { archive, namesIn } from '../oci-layout.ts';
import { sha256Of } from '../fetch-parts.ts';
import { IMAGE_USER } from './catalogue.ts';

export interface PackedLayer {
  /** Of the archive before it was compressed. */
  readonly diffId: string;
  readonly digest: string;
  /** Compressed, bytes. */
  readonly size: number;
}

const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

const blobOf = (layout: string, digest: string): string => path.join(layout, 'blobs', 'sha256', digest.slice(7));

/** Archives, compresses and stores one tree. zlib writes neither name nor date, so equal archives stay equal. */
export const packLayer = async (layout: string, tree: string): Promise<PackedLayer> => {
  mkdirSync(path.join(layout, 'blobs', 'sha256'), { recursive: true });
  const plain = path.join(layout, `${path.basename(tree)}.tar`);
  const packed = `${plain}.gz`;
  const { digest: diffId } = await archive(tree, await namesIn(tree), plain);
  await pipeline(
    createReadStream(plain),
    createGzip({ level: constants.Z_DEFAULT_COMPRESSION }),
    createWriteStream(packed),
  );
  const digest = `sha256:${await sha256Of(packed)}`;
  const { size } = statSync(packed);
  renameSync(packed, blobOf(layout, digest));
  rmSync(plain);
  return { diffId, digest, size };
};

const storeDocument = (layout: string, value: object): { digest: string; size: number } => {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const file = blobOf(layout, digest);
  if (!existsSync(file)) writeFileSync(file, bytes);
  return { digest, size: bytes.length };
};

export interface ImageFacts {
  readonly title: string;
  readonly command: readonly string[];
  readonly layers: readonly PackedLayer[];
}

/** @returns the manifest's digest and size. */
export const packImage = (layout: string, { title, command, layers }: ImageFacts): { digest: string; size: number } => {
  const labels = { 'org.opencontainers.image.title': title, 'org.opencontainers.image.vendor': 'Bravo' };
  const config = storeDocument(layout, {
    created: new Date(EPOCH * 1000).toISOString(),
    architecture: 'amd64',
    os: 'linux',
    config: {
      User: `${IMAGE_USER}:${IMAGE_USER}`,
      WorkingDir: '/tmp',
      Env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'NODE_ENV=production', 'LANG=C.UTF-8', 'TZ=UTC'],
      Entrypoint: [...command],
      Labels: labels,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map((_, at) => ({
      created: new Date(EPOCH * 1000).toISOString(),
      created_by: at === 0 ? 'base' : title,
    })),
  });
  return storeDocument(layout, {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: CONFIG, ...config },
    layers: layers.map(({ digest, size }) => ({ mediaType: LAYER, digest, size })),
    annotations: labels,
  });
};

/** The index of a layout that holds these images; a layout with one of them is what a loader is given. */
export const writeIndex = (
  layout: string,
  images: readonly { readonly reference: string; readonly digest: string; readonly size: number }[],
): void => {
  writeFileSync(path.join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const manifests = images.map(({ reference, digest, size }) => ({
    mediaType: MANIFEST,
    digest,
    size,
    annotations: { 'org.opencontainers.image.ref.name': reference, 'io.containerd.image.name': reference },
    platform: { architecture: 'amd64', os: 'linux' },
  }));
  writeFileSync(path.join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
};
