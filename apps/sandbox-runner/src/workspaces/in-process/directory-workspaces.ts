/** Workspaces as directories of this machine: walked without following a link, written by rename, counted against their limits. */
import { mkdir, rename, type FileHandle } from 'node:fs/promises';
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
  eraseConversation,
  findConversation,
  createConversation,
  sweepConversations,
} from './conversation-directory.ts';
import { directoryFacts, factsAt, factsOf, missingFacts } from './file-facts.ts';
import { listDirectory, usageOf, type Usage } from './list-directory.ts';
import { Operation, stageContent } from './staging.ts';
import { Turnstile } from './turnstile.ts';
import { at, inDirectory, linkRefused, lookAt, openFile, openRoot } from './walk.ts';

/** A path within one conversation. */
interface Place {
  /** Directory of the conversation on this machine. */
  readonly conversation: string;
  readonly above: readonly string[];
  readonly name: string;
  readonly landing: string;
}

export class DirectoryWorkspaces implements Workspaces {
  readonly #root: string;
  readonly #turnstile = new Turnstile();
  readonly #usage = new Map<string, Usage>();

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
    const conversation = await findConversation(this.#root, key);
    const place = placeOf(conversation ?? '', parts);
    if (place === undefined) return directoryFacts('');
    return conversation === undefined ? missingFacts(place.landing) : this.#factsAt(place);
  }

  async read(key: WorkspaceKey, path: string, maxBytes: number): Promise<FileRead> {
    const parts = parsePath(path);
    const absent = new Fault('not_found', `There is no file ${shown(parts.join('/'))} in this conversation.`);
    const conversation = await findConversation(this.#root, key);
    const place = placeOf(conversation ?? '', parts);
    if (place === undefined || conversation === undefined) throw absent;
    const found = await inFiles(conversation, place.above, async (directory) => {
      const { kind } = await lookAt(directory, place.name);
      if (kind === 'link') throw linkRefused(place.landing);
      if (kind === 'missing') throw absent;
      if (kind === 'directory') throw new Fault('not_found', `${shown(place.landing)} is a directory, not a file.`);
      return readFrom(await openFile(directory, place.name), place.landing, maxBytes);
    });
    if (typeof found === 'string') throw absent;
    return found;
  }

  async list(key: WorkspaceKey, directory: string, depth: number, maxEntries: number): Promise<Listing> {
    const parts = parsePath(directory);
    const conversation = await findConversation(this.#root, key);
    if (conversation === undefined && parts.length === 0) return { entries: [], truncated: false };
    const prefix = parts.map((part) => `${part}/`).join('');
    const listing =
      conversation === undefined
        ? 'missing'
        : await inFiles(conversation, parts, (handle) => listDirectory(handle, prefix, depth, maxEntries));
    if (typeof listing === 'string') {
      throw new Fault('not_found', `There is no directory ${shown(parts.join('/'))} in this conversation.`);
    }
    return listing;
  }

  async write(key: WorkspaceKey, path: string, content: Uint8Array, conditions: WriteConditions): Promise<FileWritten> {
    const parts = parsePath(path);
    if (parts.length === 0) throw new Fault('invalid_argument', 'The path names no file.');
    const conversation = await createConversation(this.#root, key);
    const place = placeOf(conversation, parts) as Place;
    return this.#turnstile.pass(conversation, async () => {
      const request = [place.landing, content, conditions.expectedRevision];
      const operation = new Operation(conversation, conditions.operationId, request);
      const known = await operation.known(() => this.#factsAt(place));
      return known ?? this.#writeOnce(place, content, conditions.expectedRevision, operation);
    });
  }

  async erase(key: WorkspaceKey): Promise<void> {
    const conversation = await findConversation(this.#root, key);
    if (conversation === undefined) return;
    await this.#turnstile.pass(conversation, () => eraseConversation(this.#root, key));
    this.#usage.delete(conversation);
  }

  /** Only within the turnstile: between looking and moving nobody else may write. */
  async #writeOnce(place: Place, content: Uint8Array, expected: string, operation: Operation): Promise<FileWritten> {
    const before = await this.#factsAt(place);
    if (before.kind === 'directory') throw new Fault('conflict', `${shown(place.landing)} is a directory.`);
    refuseUnexpected(before, expected);
    const usage = this.#usage.get(place.conversation) ?? (await countUsage(place.conversation));
    const bytes = usage.bytes - before.size + content.length;
    // At worst every directory on the way is new.
    refuseBeyondLimits(bytes, before.exists ? 0 : usage.entries + place.above.length + 1);
    let made = before.exists ? 0 : 1;
    const written = await inFiles(
      place.conversation,
      place.above,
      async (directory) => {
        const facts = await stageContent(operation.staged, content, place.landing);
        const result = { facts, created: !before.exists };
        await operation.record(result);
        await rename(operation.staged, at(directory, place.name));
        await directory.sync();
        return result;
      },
      { create: (count) => (made += count) },
    );
    if (typeof written === 'string') {
      throw new Fault('conflict', `The path ${shown(place.landing)} runs through a file, so it cannot be written.`);
    }
    this.#usage.set(place.conversation, { bytes, entries: usage.entries + made });
    return written;
  }

  async #factsAt({ conversation, above, name, landing }: Place): Promise<FileFacts> {
    const facts = await inFiles(conversation, above, (directory) => factsAt(directory, name, landing));
    return typeof facts === 'string' ? missingFacts(landing) : facts;
  }
}

/** Undefined for the root, which is no place in a directory. */
const placeOf = (conversation: string, parts: readonly string[]): Place | undefined => {
  const name = parts.at(-1);
  return name === undefined ? undefined : { conversation, above: parts.slice(0, -1), name, landing: parts.join('/') };
};

const inFiles = async <T>(
  conversation: string,
  parts: readonly string[],
  use: (directory: FileHandle) => Promise<T>,
  options?: { readonly create: (made: number) => void },
): Promise<T | 'missing' | 'file'> => {
  const root = await openRoot(join(conversation, FILES));
  try {
    return await inDirectory(root, parts, use, options);
  } finally {
    await root.close();
  }
};

const countUsage = async (conversation: string): Promise<Usage> => {
  const counted = await inFiles(conversation, [], usageOf);
  if (typeof counted === 'string') throw new Fault('internal', 'The conversation has no files directory.');
  return counted;
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

const refuseBeyondLimits = (bytes: number, entries: number): void => {
  if (bytes <= WORKSPACE_LIMITS.bytes && entries <= WORKSPACE_LIMITS.entries) return;
  throw new Fault(
    'resource_exhausted',
    `The files of a conversation may hold ${WORKSPACE_LIMITS.bytes / 1024 / 1024} MiB in ${WORKSPACE_LIMITS.entries} entries, and this write goes beyond. Write less, or over an existing file.`,
  );
};
