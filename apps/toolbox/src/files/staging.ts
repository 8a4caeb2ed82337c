/** Content on its way in: written whole beside the files first, so that the last step is one rename; and the memory of writes that were done. */
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import type { FileFacts, FileWritten } from '@bravo/workspace-files';
import { factsOf, secondsOf, sha256 } from './file-facts.ts';
import { errorCode } from './walk.ts';

export const FILES = 'files';
export const STAGING = 'staging';
export const OPERATIONS = 'operations';

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
  const file = await open(staged, 'wx+', 0o644);
  try {
    await file.writeFile(content);
    const seconds = secondsOf(nextStamp());
    await file.utimes(seconds, seconds);
    return await factsOf(file, landing);
  } finally {
    await file.close();
  }
};

/**
 * One write by its operation id, which may be '' for a write that nobody asks about again. File and record need no order:
 * what lasts is the next snapshot, which has both or neither, because nothing else is done in between.
 */
export class Operation {
  readonly staged: string;
  readonly #record: string;
  readonly #named: boolean;
  readonly #request: string;

  constructor(volume: string, operationId: string, request: readonly (string | Uint8Array)[]) {
    const name = sha256(operationId);
    this.staged = join(volume, STAGING, name);
    this.#record = join(volume, OPERATIONS, name);
    this.#named = operationId !== '';
    this.#request = sha256(...request);
  }

  /** The first result, when that write happened. Throws `conflict` when the id stands for another write. */
  async known(): Promise<FileWritten | undefined> {
    if (!this.#named) return undefined;
    let recorded: Recorded;
    try {
      recorded = JSON.parse(await readFile(this.#record, 'utf8')) as Recorded;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    if (recorded.request === this.#request) return recorded.result;
    throw new Fault('conflict', 'The operation id was used for another write. Use a new one.');
  }

  async record(result: FileWritten): Promise<void> {
    if (!this.#named) return;
    const fresh = join(this.staged, '..', `${sha256(this.#record)}.record`);
    const recorded: Recorded = { request: this.#request, result };
    await writeFile(fresh, JSON.stringify(recorded), { mode: 0o600 });
    await rename(fresh, this.#record);
  }
}
