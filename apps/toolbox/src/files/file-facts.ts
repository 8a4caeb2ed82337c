/** What is at a place, from the open file itself; nothing is said about a file that is not the one that was looked at. */
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Fault } from '@bravo/faults';
import { type FileFacts, shown } from '@bravo/workspace-files';
import { lookAt, openFile } from './walk.ts';

/** Lengths before contents, so that no two lists of parts spell the same bytes. */
export const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
};

/** Whole microseconds since 1970: what a restore can set again exactly. */
export const modifiedOf = (stats: BigIntStats): number => Number(stats.mtimeNs / 1_000n);

/** For `utimes`, which takes a fraction of seconds: from the middle of the microsecond no rounding leads out of it. */
export const secondsOf = (microseconds: number): number => (microseconds + 0.5) / 1e6;

const CHUNK = 1024 * 1024;
const MOST_REMEMBERED = 8_192;
/** By what the kernel alone changes: inode, size and time of change. */
const remembered = new Map<string, string>();

/** SHA-256 of the content of an open file. */
export const digestOf = async (file: FileHandle, stats: BigIntStats): Promise<string> => {
  const key = `${stats.dev}/${stats.ino}/${stats.size}/${stats.ctimeNs}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(CHUNK, Number(stats.size) || 1));
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  const digest = hash.digest('hex');
  // Not while it is being written, or the next content could pass for this one within one tick of the clock.
  const after = await file.stat({ bigint: true });
  if (after.ctimeNs === stats.ctimeNs && BigInt(Date.now()) * 1_000_000n - stats.ctimeNs > 20_000_000n) {
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(key, digest);
  }
  return digest;
};

let folding = false;
/** Seen once at the start, of the filesystem the files are on. */
export const foldsCase = (folds: boolean): void => {
  folding = folds;
};

const nothing = (landing: string, kind: 'missing' | 'directory'): FileFacts => ({
  landing,
  revision: '',
  exists: kind === 'directory',
  size: 0,
  kind,
  caseFolding: folding,
});
export const missingFacts = (landing: string): FileFacts => nothing(landing, 'missing');
export const directoryFacts = (landing: string): FileFacts => nothing(landing, 'directory');

/** A program may set a time back, so the content is part of it; a write of the same bytes has a time of its own. */
export const factsOf = async (file: FileHandle, landing: string): Promise<FileFacts> => {
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile()) throw new Fault('invalid_argument', `The path ${shown(landing)} is no regular file.`);
  const revision = sha256(await digestOf(file, stats), String(modifiedOf(stats))).slice(0, 32);
  return { landing, revision, exists: true, size: Number(stats.size), kind: 'file', caseFolding: folding };
};

/** Of a name that no link stands for. */
export const factsAt = async (directory: FileHandle, name: string, landing: string): Promise<FileFacts> => {
  const { kind } = name === '' ? { kind: 'directory' as const } : await lookAt(directory, name);
  if (kind === 'missing') return missingFacts(landing);
  if (kind === 'directory') return directoryFacts(landing);
  const file = await openFile(directory, name);
  try {
    return await factsOf(file, landing);
  } finally {
    await file.close();
  }
};
