/** Content on its way in: written whole and lasting beside the files first, so that the last step is one rename. */
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

  /** The first result, when there is one. Throws `conflict` when the id stands for another write. */
  async known(): Promise<FileWritten | undefined> {
    if (!this.#named) return undefined;
    const recorded = await readRecord(this.#record);
    if (recorded === undefined) return undefined;
    if (recorded.request !== this.#request) {
      throw new Fault('conflict', 'The operation id was used for another write. Use a new one.');
    }
    // What was staged and never moved into place is a write that did not happen: it is done afresh.
    return (await isThere(this.staged)) ? undefined : recorded.result;
  }

  /** Written before the move: after it, a crash finds the result; before it, the staged content. */
  async record(result: FileWritten): Promise<void> {
    if (!this.#named) return;
    const fresh = `${this.#record}.new`;
    const recorded: Recorded = { request: this.#request, result };
    await writeFile(fresh, JSON.stringify(recorded), { mode: 0o600, flush: true });
    await rename(fresh, this.#record);
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

const isThere = (path: string): Promise<boolean> =>
  open(path, 'r').then(
    async (file) => {
      await file.close();
      return true;
    },
    () => false,
  );
