/** The files of one conversation: found where a path lands, written by rename, counted against their limits. Whatever path is named and whatever links are there, nothing outside is touched. */
import { mkdir, rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault, isFault } from '@bravo/faults';
import {
  ABSENT,
  type FileFacts,
  type FileRead,
  type FileRemoved,
  type FileWritten,
  type ListedEntry,
  type Listing,
  type ListingOptions,
  parsePath,
  shown,
  Turnstile,
  WORKSPACE_LIMITS,
  type WriteConditions,
} from '@bravo/workspace-files';
import { factsAt, factsOf, foldsCase, missingFacts } from './file-facts.ts';
import { listDirectory, usageOf } from './list-directory.ts';
import { atDirectory, atPlace, isNoPlace, type NoPlace, type Place } from './resolve.ts';
import { FILES, Operation, OPERATIONS, STAGING, stageContent } from './staging.ts';
import { at, errorCode, lookAt, openFile, openRoot } from './walk.ts';

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
    const facts = await this.#at(parsePath(path), (place) => factsAt(place.directory, place.name, place.landing));
    return isNoPlace(facts) ? missingFacts(facts.landing) : facts;
  }

  /** @param offset of the first byte. */
  async read(path: string, maxBytes: number, offset = 0): Promise<FileRead> {
    const absent = (landing: string): Fault =>
      new Fault('not_found', `There is no file ${shown(landing)} in this conversation.`);
    const found = await this.#at(parsePath(path), async ({ directory, name, landing }) => {
      const { kind } = name === '' ? { kind: 'directory' } : await lookAt(directory, name);
      if (kind === 'missing') throw absent(landing);
      if (kind === 'directory') throw new Fault('not_found', `${shown(landing)} is a directory, not a file.`);
      return readFrom(await openFile(directory, name), landing, maxBytes, offset);
    });
    if (isNoPlace(found)) throw absent(found.landing);
    return found;
  }

  list(directory: string, depth: number, maxEntries: number, options: ListingOptions = {}): Promise<Listing> {
    const { after, withRevisions = false } = options;
    return this.inDirectory(directory, async (handle, landing) => {
      const { entries, truncated } = await listDirectory(handle, prefixOf(landing), depth, maxEntries, after);
      const whole: ListedEntry[] = [];
      for (const entry of entries) {
        if (entry.kind === 'link') whole.push(await this.#withLanding(entry));
        else if (entry.kind === 'file' && withRevisions) whole.push(await this.#withRevision(entry));
        else whole.push(entry);
      }
      return { landing, entries: whole, truncated };
    });
  }

  async write(path: string, content: Uint8Array, conditions: WriteConditions): Promise<FileWritten> {
    const parts = parsePath(path);
    if (parts.length === 0) throw new Fault('invalid_argument', 'The path names no file.');
    return this.#turnstile.pass('', async () => {
      const { expectedRevision, expectedLanding, operationId } = conditions;
      const landings = expectedLanding === '' ? [] : [expectedLanding];
      const operation = new Operation(this.root, operationId, [
        ...[parts.join('/'), content, expectedRevision],
        ...landings,
      ]);
      return (await operation.known()) ?? this.#writeOnce(parts, content, conditions, operation);
    });
  }

  /** A link goes and what it leads to stays; links on the way are followed. Throws `conflict` for a directory that holds something. */
  async remove(path: string, expectedRevision: string): Promise<FileRemoved> {
    const parts = parsePath(path);
    const name = parts.at(-1);
    if (name === undefined) throw new Fault('invalid_argument', 'The path names no file.');
    return this.#turnstile.pass('', async () => {
      const removed = await this.#inFiles((root) =>
        atDirectory(root, parts.slice(0, -1), (directory, landing) =>
          removeName(directory, name, prefixOf(landing) + name, expectedRevision),
        ),
      );
      if (isNoPlace(removed)) throw nothingAt(parts.join('/'));
      return removed;
    });
  }

  /** Throws `not_found` where no directory is. */
  async inDirectory<T>(path: string, use: (directory: FileHandle, landing: string) => Promise<T>): Promise<T> {
    const found = await this.#inFiles((root) => atDirectory(root, parsePath(path), use));
    if (isNoPlace(found))
      throw new Fault('not_found', `There is no directory ${shown(found.landing)} in this conversation.`);
    return found;
  }

  async #inFiles<T>(use: (root: FileHandle) => Promise<T>): Promise<T> {
    const root = await openRoot(join(this.root, FILES));
    try {
      return await use(root);
    } finally {
      await root.close();
    }
  }

  #at<T>(parts: readonly string[], use: (place: Place) => Promise<T>, create = false): Promise<T | NoPlace> {
    return this.#inFiles((root) => atPlace(root, parts, use, { create }));
  }

  /** '' where it leads out, in a circle or to nothing. */
  async #withLanding(entry: ListedEntry): Promise<ListedEntry> {
    const facts = await this.stat(entry.path).catch((error: unknown) => {
      if (isFault(error)) return undefined;
      throw error;
    });
    return { ...entry, landing: facts?.exists ? facts.landing : '' };
  }

  /** '' for what was another a moment ago. */
  async #withRevision(entry: ListedEntry): Promise<ListedEntry> {
    const facts = await this.stat(entry.path).catch((error: unknown) => {
      if (isFault(error)) return undefined;
      throw error;
    });
    return { ...entry, revision: facts?.landing === entry.path ? facts.revision : '' };
  }

  /** Only within the turnstile: between looking and moving nobody else may write. */
  async #writeOnce(
    parts: readonly string[],
    content: Uint8Array,
    { expectedRevision, expectedLanding }: WriteConditions,
    operation: Operation,
  ): Promise<FileWritten> {
    const before = await this.stat(parts.join('/'));
    const { landing } = before;
    if (before.kind === 'directory') throw new Fault('conflict', `${shown(landing)} is a directory.`);
    if (expectedLanding !== '' && expectedLanding !== landing) throw otherLanding(parts, landing);
    refuseUnexpected(before, expectedRevision);
    // Counted afresh: programs write here too.
    const usage = await this.#inFiles(usageOf);
    // At worst every directory on the way is new.
    const entries = before.exists ? 0 : usage.entries + landing.split('/').length;
    refuseBeyondLimits(usage.bytes - before.size + content.length, entries);
    const written = await this.#at(
      parts,
      async (place) => {
        // The way is walked again: it must lead to what was judged.
        if (place.landing !== landing || place.name === '') throw otherLanding(parts, place.landing);
        const facts = await stageContent(operation.staged, content, landing).catch(sayFull);
        await rename(operation.staged, at(place.directory, place.name));
        const result = { facts, created: !before.exists };
        await operation.record(result);
        return result;
      },
      true,
    );
    if (isNoPlace(written)) {
      throw new Fault('conflict', `The path ${shown(written.landing)} runs through a file, so it cannot be written.`);
    }
    return written;
  }
}

export const prefixOf = (landing: string): string => (landing === '' ? '' : `${landing}/`);

const otherLanding = (parts: readonly string[], landing: string): Fault =>
  new Fault(
    'version_conflict',
    `The path ${shown(parts.join('/'))} leads to ${shown(landing)} by now. Look at it again before writing it.`,
  );

/** Closes the file. `truncated`: it goes on behind what was read. */
const readFrom = async (file: FileHandle, landing: string, maxBytes: number, offset: number): Promise<FileRead> => {
  try {
    const facts = await factsOf(file, landing);
    const content = Buffer.alloc(Math.max(0, Math.min(facts.size - offset, maxBytes)));
    const { bytesRead } = await file.read(content, 0, content.length, offset);
    const truncated = facts.size > offset + bytesRead;
    return { content: content.subarray(0, bytesRead), size: facts.size, truncated, facts };
  } finally {
    await file.close();
  }
};

const nothingAt = (path: string): Fault =>
  new Fault('not_found', `There is no file ${shown(path)} in this conversation.`);

const removeName = async (
  directory: FileHandle,
  name: string,
  landing: string,
  expectedRevision: string,
): Promise<FileRemoved> => {
  const { kind } = await lookAt(directory, name);
  if (kind === 'missing') throw nothingAt(landing);
  if (kind === 'other') throw new Fault('invalid_argument', `The path ${shown(landing)} is no regular file.`);
  const revision = kind === 'file' ? (await factsAt(directory, name, landing)).revision : '';
  if (expectedRevision !== '' && expectedRevision !== revision) {
    throw new Fault(
      'version_conflict',
      `${shown(landing)} has changed since it was looked at. Look at it again before taking it away.`,
    );
  }
  await (kind === 'directory' ? rmdir(at(directory, name)) : unlink(at(directory, name))).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      throw new Fault('conflict', `${shown(landing)} is a directory that holds files. Take these away first.`);
    if (code === 'ENOENT') throw nothingAt(landing);
    throw error;
  });
  return { kind, revision };
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
