/** What a dead process leaves for its successor: who owned which container, written before the container exists. */
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, type ProcessIdentity } from './process-table.ts';

export interface PodRecord {
  readonly name: string;
  readonly owner: string;
  /** Absent where pods share this process's user. */
  readonly uid?: number;
  readonly directory: string;
  /** What a contained pod has on the machine besides. */
  readonly traces?: { readonly directories: readonly string[]; readonly groups: readonly string[] };
  /** Absent until the process has been started. */
  readonly process?: ProcessIdentity;
}

interface OwnerRecord {
  readonly owner: string;
  readonly process: ProcessIdentity;
}

export class PodRecords {
  readonly #pods: string;
  readonly #owners: string;
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#pods = join(directory, 'records');
    this.#owners = join(directory, 'owners');
  }

  async open(): Promise<void> {
    // Pods pass through to their own directories; what is recorded of them is not theirs to read.
    await mkdir(this.#directory, { recursive: true, mode: 0o711 });
    for (const path of [this.#pods, this.#owners]) await mkdir(path, { recursive: true, mode: 0o700 });
  }

  pathOf(name: string): string {
    return join(this.#pods, `${name}.json`);
  }

  writePod(record: PodRecord): Promise<void> {
    return replaceFile(this.pathOf(record.name), record);
  }

  async removePod(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  pods(): Promise<PodRecord[]> {
    return readAll<PodRecord>(this.#pods);
  }

  writeOwner(record: OwnerRecord): Promise<void> {
    return replaceFile(join(this.#owners, `${record.owner}.json`), record);
  }

  async removeOwner(owner: string): Promise<void> {
    await rm(join(this.#owners, `${owner}.json`), { force: true });
  }

  async deadOwners(): Promise<string[]> {
    const dead: string[] = [];
    for (const record of await readAll<OwnerRecord>(this.#owners)) {
      if (!isAlive(record.process)) dead.push(record.owner);
    }
    return dead;
  }
}

/** Half a record would hide a pod from the sweep, so a file is complete or absent. */
const replaceFile = async (path: string, value: unknown): Promise<void> => {
  const fresh = `${path}.${process.pid}.tmp`;
  await writeFile(fresh, JSON.stringify(value), { mode: 0o600 });
  await rename(fresh, path);
};

const readAll = async <T>(directory: string): Promise<T[]> => {
  const records: T[] = [];
  for (const entry of await readdir(directory)) {
    if (!entry.endsWith('.json')) continue;
    const text = await readFile(join(directory, entry), 'utf8').catch(() => undefined);
    if (text !== undefined) records.push(JSON.parse(text) as T);
  }
  return records;
};
