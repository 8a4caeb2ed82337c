/** Gives each pod a user of its own on this machine; a user is never given again while a process of it lives. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import { pidsOfUid } from './process-table.ts';

export interface UidRange {
  readonly first: number;
  readonly count: number;
}

/**
 * Claims are files of one directory per machine, because two checkouts share the range: sweeping the leftovers of
 * one must never end the pods of the other.
 */
export class UidClaims {
  readonly #directory: string;
  readonly #range: UidRange;
  #next = 0;

  constructor(directory: string, range: UidRange) {
    this.#directory = directory;
    this.#range = range;
    this.#next = Math.floor(Math.random() * range.count);
  }

  /** `recordPath` is the file that lives as long as the pod: a claim whose record is gone is free again. */
  async take(recordPath: string): Promise<number> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    for (let tried = 0; tried < this.#range.count; tried += 1) {
      // Round robin: files an ended pod left in a shared place should not soon belong to another one.
      const uid = this.#range.first + ((this.#next + tried) % this.#range.count);
      if ((await this.#claim(uid, recordPath)) && pidsOfUid(uid).length === 0) {
        this.#next = (this.#next + tried + 1) % this.#range.count;
        return uid;
      }
    }
    throw new Fault(
      'pod_unavailable',
      `All ${this.#range.count} users for pods from ${this.#range.first} on are in use on this machine. End some conversations.`,
    );
  }

  async release(uid: number): Promise<void> {
    await rm(this.#path(uid), { force: true });
  }

  async #claim(uid: number, recordPath: string): Promise<boolean> {
    const holder = await readFile(this.#path(uid), 'utf8').catch(() => undefined);
    if (holder !== undefined) {
      if (holder === recordPath || existsSync(holder)) return false;
      await this.release(uid);
    }
    try {
      await writeFile(this.#path(uid), recordPath, { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  #path(uid: number): string {
    return join(this.#directory, String(uid));
  }
}
