/** Content on its way in: written whole and lasting beside the files first, so that the last step is one rename. */
import { lstat, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '@bravo/faults';
import type { FileFacts, FileWritten } from '../workspace.port.ts';
import { OPERATIONS, STAGING } from './conversation-directory.ts';
import { factsOf, sha256 } from './file-facts.ts';
import { errorCode } from './walk.ts';

interface Recorded {
  /** Over everything the caller asked for. */
  readonly request: string;
  readonly result: FileWritten;
}

/** Times of change in microseconds that never repeat within the process, and never go back. */
let lastStamp = 0;
const nextStamp = (): number => {
  lastStamp = Math.max(Date.now() * 1_000, lastStamp + 1);
  return lastStamp;
};

/** Writes the content to `staged`. The facts hold before and after the move: a rename changes none of them. */
export const stageContent = async (staged: string, content: Uint8Array, landing: string): Promise<FileFacts> => {
  await rm(staged, { force: true });
  const file = await open(staged, 'wx', 0o600);
  try {
    await file.writeFile(content);
    // The kernel's own stamps repeat within a tick, and an inode number may be used again at once.
    const seconds = nextStamp() / 1e6;
    await file.utimes(seconds, seconds);
    await file.sync();
    await syncDirectory(dirname(staged));
    return await factsOf(file, landing);
  } finally {
    await file.close();
  }
};

/** One write by its operation id, which may be '' for a write that nobody asks about again. */
export class Operation {
  readonly staged: string;
  readonly #record: string;
  readonly #named: boolean;
  readonly #request: string;

  constructor(conversation: string, operationId: string, request: readonly (string | Uint8Array)[]) {
    const name = sha256(operationId);
    this.staged = join(conversation, STAGING, name);
    this.#record = join(conversation, OPERATIONS, name);
    this.#named = operationId !== '';
    this.#request = sha256(...request);
  }

  /**
   * The first result, when that write happened. Throws `conflict` when the id stands for another write.
   *
   * The steps of a write, in this order: the staged content, the record, the move; and a repetition takes the record back
   * before it touches what is staged. So a record means a write that happened, unless its content is staged still or its place
   * is empty. `lookAtTarget` says what is at the place now.
   */
  async known(lookAtTarget: () => Promise<FileFacts>): Promise<FileWritten | undefined> {
    if (!this.#named) return undefined;
    const recorded = await readRecord(this.#record);
    if (recorded === undefined) return undefined;
    if (recorded.request !== this.#request) {
      throw new Fault('conflict', 'The operation id was used for another write. Use a new one.');
    }
    const staged = await isThere(this.staged);
    if (!staged && (await lookAtTarget()).exists) return recorded.result;
    await rm(this.#record, { force: true });
    await syncDirectory(dirname(this.#record));
    return undefined;
  }

  /** Written, and lasting, before the move: after the move, a crash finds the result; before it, the staged content. */
  async record(result: FileWritten): Promise<void> {
    if (!this.#named) return;
    const fresh = `${this.#record}.new`;
    const recorded: Recorded = { request: this.#request, result };
    await writeFile(fresh, JSON.stringify(recorded), { mode: 0o600, flush: true });
    await rename(fresh, this.#record);
    await syncDirectory(dirname(this.#record));
  }
}

const readRecord = async (path: string): Promise<Recorded | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Recorded;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** False only when nothing is there: what cannot be looked at is an error, not an answer. */
const isThere = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
};

const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};
