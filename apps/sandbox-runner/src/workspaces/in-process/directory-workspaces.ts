/** Workspaces as directories of this machine: walked without following a link, written by rename, counted against their limits. */
import { mkdir, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import { parsePath, shown } from '../parse-path.ts';
import {
  ABSENT,
  WORKSPACE_LIMITS,
  type FileFacts,
  type FileRead,
  type FileWritten,
  type Listing,
  type WorkspaceKey,
  type Workspaces,
  type WriteConditions,
} from '../workspace.port.ts';
import {
  FILES,
  OPERATIONS,
  STAGING,
  eraseConversation,
  findConversation,
  makeConversation,
  sweepConversations,
} from './conversation-directory.ts';
import { listDirectory, usageOf, type Usage } from './list-directory.ts';
import { Turnstile } from './turnstile.ts';
import { at, errorCode, inDirectory, linkRefused, lookAt, openFile, openRoot } from './walk.ts';

interface Operation {
  /** Over everything the caller asked for. */
  readonly request: string;
  readonly result: FileWritten;
}

const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('hex');
};

const missing = (landing: string): FileFacts => ({ landing, revision: '', exists: false, size: 0, kind: 'missing' });
const directoryFacts = (landing: string): FileFacts => ({ landing, revision: '', exists: true, size: 0, kind: 'directory' });

/** Every write makes a new file with a time of its own, so these three never repeat. */
const factsOf = async (file: FileHandle, landing: string): Promise<FileFacts> => {
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

export class DirectoryWorkspaces implements Workspaces {
  readonly #root: string;
  readonly #turnstile = new Turnstile();
  readonly #usage = new Map<string, Usage>();
  #lastStamp = 0;

  private constructor(root: string) {
    this.#root = root;
  }

  /** `root` is made when missing. One process at a time may write below it. */
  static async open(root: string): Promise<DirectoryWorkspaces> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await sweepConversations(root);
    return new DirectoryWorkspaces(root);
  }

  async stat(key: WorkspaceKey, path: string): Promise<FileFacts> {
    const parts = parsePath(path);
    const name = parts.at(-1);
    const landing = parts.join('/');
    const conversation = await findConversation(this.#root, key);
    if (name === undefined) return directoryFacts('');
    if (conversation === undefined) return missing(landing);
    const facts = await this.#inFiles(conversation, parts.slice(0, -1), (directory) => factsAt(directory, name, landing));
    return typeof facts === 'string' ? missing(landing) : facts;
  }

  async read(key: WorkspaceKey, path: string, maxBytes: number): Promise<FileRead> {
    const parts = parsePath(path);
    const name = parts.at(-1);
    const landing = parts.join('/');
    const absent = new Fault('not_found', `There is no file ${shown(landing)} in this conversation.`);
    const conversation = await findConversation(this.#root, key);
    if (name === undefined || conversation === undefined) throw absent;
    const found = await this.#inFiles(conversation, parts.slice(0, -1), async (directory) => {
      const { kind } = await lookAt(directory, name);
      if (kind === 'link') throw linkRefused(landing);
      if (kind === 'missing') throw absent;
      if (kind === 'directory') throw new Fault('not_found', `${shown(landing)} is a directory, not a file.`);
      const file = await openFile(directory, name);
      try {
        const facts = await factsOf(file, landing);
        const content = Buffer.alloc(Math.min(facts.size, maxBytes));
        const { bytesRead } = await file.read(content, 0, content.length, 0);
        return { content: content.subarray(0, bytesRead), size: facts.size, truncated: facts.size > bytesRead, facts };
      } finally {
        await file.close();
      }
    });
    if (typeof found === 'string') throw absent;
    return found;
  }

  async list(key: WorkspaceKey, directory: string, depth: number, maxEntries: number): Promise<Listing> {
    const parts = parsePath(directory);
    const conversation = await findConversation(this.#root, key);
    if (conversation === undefined && parts.length === 0) return { entries: [], truncated: false };
    const listing =
      conversation === undefined
        ? 'missing'
        : await this.#inFiles(conversation, parts, (handle) =>
            listDirectory(handle, parts.map((part) => `${part}/`).join(''), depth, maxEntries),
          );
    if (typeof listing === 'string') {
      throw new Fault('not_found', `There is no directory ${shown(parts.join('/'))} in this conversation.`);
    }
    return listing;
  }

  async write(key: WorkspaceKey, path: string, content: Uint8Array, conditions: WriteConditions): Promise<FileWritten> {
    const parts = parsePath(path);
    const name = parts.at(-1);
    if (name === undefined) throw new Fault('invalid_argument', 'The path names no file.');
    const conversation = await makeConversation(this.#root, key);
    return this.#turnstile.pass(conversation, async () => {
      const landing = parts.join('/');
      const request = sha256(landing, content, conditions.expectedRevision);
      const record = join(conversation, OPERATIONS, sha256(conditions.operationId));
      const staged = join(conversation, STAGING, sha256(conditions.operationId));
      if (conditions.operationId !== '') {
        const known = await readOperation(record);
        if (known !== undefined) {
          if (known.request !== request) {
            throw new Fault('conflict', 'The operation id was used for another write. Use a new one.');
          }
          // What was staged and never moved into place is a write that did not happen: it is done afresh below.
          if (!(await isThere(staged))) return known.result;
        }
      }
      return this.#writeOnce({ conversation, parts, name, landing, content, conditions, request, record, staged });
    });
  }

  async erase(key: WorkspaceKey): Promise<void> {
    const conversation = await findConversation(this.#root, key);
    if (conversation === undefined) return;
    await this.#turnstile.pass(conversation, () => eraseConversation(this.#root, key));
    this.#usage.delete(conversation);
  }

  async #writeOnce(write: {
    readonly conversation: string;
    readonly parts: readonly string[];
    readonly name: string;
    readonly landing: string;
    readonly content: Uint8Array;
    readonly conditions: WriteConditions;
    readonly request: string;
    readonly record: string;
    readonly staged: string;
  }): Promise<FileWritten> {
    const { conversation, parts, name, landing, content, conditions } = write;
    const before = await this.#currentFacts(conversation, parts, name, landing);
    if (before.kind === 'directory') throw new Fault('conflict', `${shown(landing)} is a directory.`);
    refuseUnexpected(before, conditions.expectedRevision);
    const usage = await this.#usageOf(conversation);
    const bytes = usage.bytes - before.size + content.length;
    // At worst every directory on the way is new.
    const entries = usage.entries + (before.exists ? 0 : parts.length);
    if (bytes > WORKSPACE_LIMITS.bytes || (!before.exists && entries > WORKSPACE_LIMITS.entries)) {
      throw new Fault(
        'resource_exhausted',
        `The files of a conversation may hold ${WORKSPACE_LIMITS.bytes / 1024 / 1024} MiB and ${WORKSPACE_LIMITS.entries} entries, and this write goes beyond. Remove something first.`,
      );
    }
    let made = 0;
    const written = await this.#inFiles(
      conversation,
      parts.slice(0, -1),
      async (directory) => {
        const result = { facts: await this.#stage(write.staged, content, landing), created: !before.exists };
        if (conditions.operationId !== '') {
          await writeDurably(write.record, Buffer.from(JSON.stringify({ request: write.request, result })));
        }
        await rename(write.staged, at(directory, name));
        await directory.sync();
        return result;
      },
      (count) => (made += count),
    );
    if (typeof written === 'string') {
      throw new Fault('conflict', `The path ${shown(landing)} runs through a file, so it cannot be written.`);
    }
    this.#usage.set(conversation, { bytes, entries: usage.entries + made + (before.exists ? 0 : 1) });
    return written;
  }

  /** The facts hold before and after the move: a rename changes neither inode nor time of change of the content. */
  async #stage(staged: string, content: Uint8Array, landing: string): Promise<FileFacts> {
    await rm(staged, { force: true });
    const file = await open(staged, 'wx', 0o600);
    try {
      await file.writeFile(content);
      this.#lastStamp = Math.max(Date.now() * 1_000, this.#lastStamp + 1);
      const seconds = this.#lastStamp / 1e6;
      // The kernel's own stamps repeat within a tick, and an inode number may be used again at once.
      await file.utimes(seconds, seconds);
      await file.sync();
      return await factsOf(file, landing);
    } finally {
      await file.close();
    }
  }

  async #currentFacts(
    conversation: string,
    parts: readonly string[],
    name: string,
    landing: string,
  ): Promise<FileFacts> {
    const facts = await this.#inFiles(conversation, parts.slice(0, -1), (directory) => factsAt(directory, name, landing));
    return typeof facts === 'string' ? missing(landing) : facts;
  }

  async #inFiles<T>(
    conversation: string,
    parts: readonly string[],
    use: (directory: FileHandle) => Promise<T>,
    create?: (made: number) => void,
  ): Promise<T | 'missing' | 'file'> {
    const root = await openRoot(join(conversation, FILES));
    try {
      return await inDirectory(root, parts, use, create === undefined ? {} : { create });
    } finally {
      await root.close();
    }
  }

  async #usageOf(conversation: string): Promise<Usage> {
    const known = this.#usage.get(conversation);
    if (known !== undefined) return known;
    const counted = await this.#inFiles(conversation, [], usageOf);
    if (typeof counted === 'string') throw new Fault('internal', 'The conversation has no files directory.');
    return counted;
  }
}

const factsAt = async (directory: FileHandle, name: string, landing: string): Promise<FileFacts> => {
  const { kind } = await lookAt(directory, name);
  if (kind === 'missing') return missing(landing);
  if (kind === 'directory') return directoryFacts(landing);
  if (kind === 'link') throw linkRefused(landing);
  const file = await openFile(directory, name);
  try {
    return await factsOf(file, landing);
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

const isThere = (path: string): Promise<boolean> =>
  open(path, 'r').then(
    async (file) => {
      await file.close();
      return true;
    },
    () => false,
  );

const readOperation = async (path: string): Promise<Operation | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Operation;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

const writeDurably = async (path: string, content: Uint8Array): Promise<void> => {
  const fresh = `${path}.new`;
  await writeFile(fresh, content, { mode: 0o600, flush: true });
  await rename(fresh, path);
};
