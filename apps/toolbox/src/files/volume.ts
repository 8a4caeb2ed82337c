/** The files of one conversation: walked without following a link, written by rename, counted against their limits. Whatever path is named, nothing outside is touched. */
import { mkdir, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import {
  ABSENT,
  type FileFacts,
  type FileRead,
  type FileWritten,
  type Listing,
  parsePath,
  shown,
  Turnstile,
  WORKSPACE_LIMITS,
  type WriteConditions,
} from '@bravo/workspace-files';
import { directoryFacts, factsAt, factsOf, foldsCase, missingFacts } from './file-facts.ts';
import { listDirectory, usageOf } from './list-directory.ts';
import { FILES, Operation, OPERATIONS, STAGING, stageContent } from './staging.ts';
import { at, inDirectory, linkRefused, lookAt, openFile, openRoot } from './walk.ts';

/** A path within the files. */
interface Place {
  readonly above: readonly string[];
  readonly name: string;
  readonly landing: string;
}

export class Volume {
  readonly root: string;
  readonly #turnstile = new Turnstile();

  private constructor(root: string) {
    this.root = root;
  }

  /** `root` is there and ours. */
  static async open(root: string): Promise<Volume> {
    for (const name of [FILES, STAGING, OPERATIONS]) await mkdir(join(root, name), { recursive: true, mode: 0o700 });
    await mkdir(join(root, STAGING, 'CASE'), { recursive: true });
    const staging = await openRoot(join(root, STAGING));
    try {
      foldsCase((await lookAt(staging, 'case')).kind !== 'missing');
    } finally {
      await staging.close();
    }
    return new Volume(root);
  }

  async stat(path: string): Promise<FileFacts> {
    const place = placeOf(parsePath(path));
    return place === undefined ? directoryFacts('') : this.#factsAt(place);
  }

  async read(path: string, maxBytes: number): Promise<FileRead> {
    const parts = parsePath(path);
    const absent = new Fault('not_found', `There is no file ${shown(parts.join('/'))} in this conversation.`);
    const place = placeOf(parts);
    if (place === undefined) throw absent;
    const found = await this.inFiles(place.above, async (directory) => {
      const { kind } = await lookAt(directory, place.name);
      if (kind === 'link') throw linkRefused(place.landing);
      if (kind === 'missing') throw absent;
      if (kind === 'directory') throw new Fault('not_found', `${shown(place.landing)} is a directory, not a file.`);
      return readFrom(await openFile(directory, place.name), place.landing, maxBytes);
    });
    if (typeof found === 'string') throw absent;
    return found;
  }

  async list(directory: string, depth: number, maxEntries: number): Promise<Listing> {
    const parts = parsePath(directory);
    const prefix = parts.map((part) => `${part}/`).join('');
    const listing = await this.inFiles(parts, (handle) => listDirectory(handle, prefix, depth, maxEntries));
    if (typeof listing === 'string') {
      throw new Fault('not_found', `There is no directory ${shown(parts.join('/'))} in this conversation.`);
    }
    return listing;
  }

  async write(path: string, content: Uint8Array, conditions: WriteConditions): Promise<FileWritten> {
    const place = placeOf(parsePath(path));
    if (place === undefined) throw new Fault('invalid_argument', 'The path names no file.');
    return this.#turnstile.pass('', async () => {
      const request = [place.landing, content, conditions.expectedRevision];
      const operation = new Operation(this.root, conditions.operationId, request);
      return (await operation.known()) ?? this.#writeOnce(place, content, conditions.expectedRevision, operation);
    });
  }

  /** 'missing' or 'file' where the way ends early. */
  async inFiles<T>(
    parts: readonly string[],
    use: (directory: FileHandle) => Promise<T>,
    options?: { readonly create: (made: number) => void },
  ): Promise<T | 'missing' | 'file'> {
    const root = await openRoot(join(this.root, FILES));
    try {
      return await inDirectory(root, parts, use, options);
    } finally {
      await root.close();
    }
  }

  /** Only within the turnstile: between looking and moving nobody else may write. */
  async #writeOnce(place: Place, content: Uint8Array, expected: string, operation: Operation): Promise<FileWritten> {
    const before = await this.#factsAt(place);
    if (before.kind === 'directory') throw new Fault('conflict', `${shown(place.landing)} is a directory.`);
    refuseUnexpected(before, expected);
    // Counted afresh: programs write here too.
    const usage = await this.inFiles([], usageOf);
    if (typeof usage === 'string') throw new Error('the volume has no files directory');
    // At worst every directory on the way is new.
    const entries = before.exists ? 0 : usage.entries + place.above.length + 1;
    refuseBeyondLimits(usage.bytes - before.size + content.length, entries);
    const written = await this.inFiles(
      place.above,
      async (directory) => {
        const facts = await stageContent(operation.staged, content, place.landing).catch(sayFull);
        await rename(operation.staged, at(directory, place.name));
        const result = { facts, created: !before.exists };
        await operation.record(result);
        return result;
      },
      { create: () => undefined },
    );
    if (typeof written === 'string') {
      throw new Fault('conflict', `The path ${shown(place.landing)} runs through a file, so it cannot be written.`);
    }
    return written;
  }

  async #factsAt({ above, name, landing }: Place): Promise<FileFacts> {
    const facts = await this.inFiles(above, (directory) => factsAt(directory, name, landing));
    return typeof facts === 'string' ? missingFacts(landing) : facts;
  }
}

/** Undefined for the root, which is no place in a directory. */
const placeOf = (parts: readonly string[]): Place | undefined => {
  const name = parts.at(-1);
  return name === undefined ? undefined : { above: parts.slice(0, -1), name, landing: parts.join('/') };
};

/** Closes the file. */
const readFrom = async (file: FileHandle, landing: string, maxBytes: number): Promise<FileRead> => {
  try {
    const facts = await factsOf(file, landing);
    const content = Buffer.alloc(Math.min(facts.size, maxBytes));
    const { bytesRead } = await file.read(content, 0, content.length, 0);
    return { content: content.subarray(0, bytesRead), size: facts.size, truncated: facts.size > bytesRead, facts };
  } finally {
    await file.close();
  }
};

const refuseUnexpected = (facts: FileFacts, expected: string): void => {
  if (expected === '' || expected === (facts.exists ? facts.revision : ABSENT)) return;
  throw new Fault(
    'version_conflict',
    expected === ABSENT
      ? `${shown(facts.landing)} exists by now. Look at it before writing it.`
      : `${shown(facts.landing)} has changed since it was looked at. Look at it again before writing it.`,
  );
};

const FULL = `The files of a conversation may hold ${WORKSPACE_LIMITS.bytes / 1024 / 1024} MiB in ${WORKSPACE_LIMITS.entries} entries, and this write goes beyond. Write less, or over an existing file.`;

const refuseBeyondLimits = (bytes: number, entries: number): void => {
  if (bytes > WORKSPACE_LIMITS.bytes || entries > WORKSPACE_LIMITS.entries) throw new Fault('resource_exhausted', FULL);
};

/** The filesystem's own word, where somebody else filled it in the meantime. */
const sayFull = (error: unknown): never => {
  const { code } = error as NodeJS.ErrnoException;
  throw code === 'ENOSPC' || code === 'EDQUOT' ? new Fault('resource_exhausted', FULL) : error;
};
