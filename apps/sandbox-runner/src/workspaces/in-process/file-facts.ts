/** What is at a place, from the open file itself; nothing is said about a file that is not the one that was looked at. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Fault } from '@bravo/faults';
import { shown } from '../parse-path.ts';
import type { FileFacts } from '../workspace.port.ts';
import { linkRefused, lookAt, openFile } from './walk.ts';

/** Lengths before contents, so that no two lists of parts spell the same bytes. */
export const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
};

export const missingFacts = (landing: string): FileFacts => ({
  landing,
  revision: '',
  exists: false,
  size: 0,
  kind: 'missing',
});

export const directoryFacts = (landing: string): FileFacts => ({
  landing,
  revision: '',
  exists: true,
  size: 0,
  kind: 'directory',
});

/** Every write makes a new file with a time of its own, so these three never repeat. */
export const factsOf = async (file: FileHandle, landing: string): Promise<FileFacts> => {
  const stats = await file.stat({ bigint: true });
  if (!stats.isFile()) throw new Fault('invalid_argument', `The path ${shown(landing)} is no regular file.`);
  return {
    landing,
    revision: sha256(String(stats.ino), String(stats.size), String(stats.mtimeNs)).slice(0, 32),
    exists: true,
    size: Number(stats.size),
    kind: 'file',
  };
};

/** Throws `invalid_argument` for a link. */
export const factsAt = async (directory: FileHandle, name: string, landing: string): Promise<FileFacts> => {
  const { kind } = await lookAt(directory, name);
  if (kind === 'missing') return missingFacts(landing);
  if (kind === 'directory') return directoryFacts(landing);
  if (kind === 'link') throw linkRefused(landing);
  const file = await openFile(directory, name);
  try {
    return await factsOf(file, landing);
  } finally {
    await file.close();
  }
};
