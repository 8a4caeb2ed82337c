/**
 * The files under one `.git`, opened by us one directory at a time and never through a link. Guarantees that nothing a repository
 * names is run or followed: what would change what a read means is declined, and everything else of its configuration is not asked.
 */
import type { FileHandle } from 'node:fs/promises';
import { Fault } from '@bravo/faults';
import { shown } from '@bravo/workspace-files';
import { namesIn } from '../files/list-directory.ts';
import type { Volume } from '../files/volume.ts';
import { inDirectory, lookAt, openFile } from '../files/walk.ts';
import { type GitConfig, readConfig } from './read-config.ts';

const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/** Why a repository is not read here, with what to do. */
export const declined = (why: string): Fault =>
  new Fault('conflict', `This repository is not read here: ${why}. Use run with git for it.`);

export class GitFiles {
  readonly config: GitConfig;
  /** Where the repository is, from the root of the files; '' for the root. */
  readonly landing: string;
  /** Its working tree. */
  readonly tree: FileHandle;
  readonly #git: FileHandle;
  readonly #deadline: number;

  private constructor(
    parts: { readonly landing: string; readonly tree: FileHandle; readonly git: FileHandle; readonly deadline: number },
    config: GitConfig,
  ) {
    this.landing = parts.landing;
    this.tree = parts.tree;
    this.#git = parts.git;
    this.#deadline = parts.deadline;
    this.config = config;
  }

  /** @throws Fault not_found where no repository is, conflict for one that is laid out in another way. */
  static use<T>(
    volume: Volume,
    repository: string,
    deadline: number,
    use: (files: GitFiles) => Promise<T>,
  ): Promise<T> {
    return volume.inDirectory(repository, async (tree, landing) => {
      const { kind } = await lookAt(tree, '.git');
      if (kind === 'missing')
        throw new Fault('not_found', `There is no repository at ${shown(landing || '.')}: it holds no .git.`);
      if (kind !== 'directory') throw declined('its .git is no directory');
      const used = await inDirectory(tree, ['.git'], async (git) => {
        const bare = new GitFiles({ landing, tree, git, deadline }, readConfig(''));
        const text = await bare.text(['config']);
        const files = new GitFiles({ landing, tree, git, deadline }, readConfig(text ?? ''));
        await files.#declineLayouts();
        return use(files);
      });
      if (used === 'missing' || used === 'file') throw declined('its .git changed while it was read');
      return used;
    });
  }

  async #declineLayouts(): Promise<void> {
    const { declinedBecause } = this.config;
    if (declinedBecause !== '') throw declined(declinedBecause);
    if ((await this.kind(['objects'])) !== 'directory') throw declined('its objects are not in it');
    for (const [path, why] of [
      ['objects/info/alternates', 'it borrows objects'],
      ['objects/info/http-alternates', 'it borrows objects'],
      ['info/grafts', 'it grafts its history'],
      ['commondir', 'it shares another repository'],
      ['config.worktree', 'it has a configuration of its working tree'],
    ] as const)
      if ((await this.kind(path.split('/'))) !== 'missing') throw declined(why);
    if ((await this.names(['refs', 'replace'])).length > 0) throw declined('it replaces objects');
  }

  /** @throws Fault resource_exhausted once the time of the query has run out. */
  checkTime(): void {
    if (Date.now() > this.#deadline)
      throw new Fault(
        'resource_exhausted',
        'The time for this query ran out. Narrow it: name a path or a smaller range.',
      );
  }

  get timeIsUp(): boolean {
    return Date.now() > this.#deadline;
  }

  async kind(parts: readonly string[]): Promise<string> {
    const found = await this.#in(parts, async (directory, name) => (await lookAt(directory, name)).kind);
    return found ?? 'missing';
  }

  /** Names in a directory; none where it is not. */
  async names(parts: readonly string[]): Promise<string[]> {
    const found = await inDirectory(this.#git, parts, namesIn);
    return typeof found === 'string' ? [] : found;
  }

  async text(parts: readonly string[]): Promise<string | undefined> {
    return (await this.bytes(parts, MOST_TEXT_BYTES))?.toString('utf8');
  }

  /** Undefined where no regular file is. @throws Fault conflict for one beyond `most` bytes. */
  bytes(parts: readonly string[], most: number): Promise<Buffer | undefined> {
    return this.open(parts, async (file, size) => {
      if (size > most) throw declined(`${shown(parts.join('/'))} in its .git is too large`);
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await file.read(bytes, 0, size, 0);
      return bytes.subarray(0, bytesRead);
    });
  }

  /** Undefined where no regular file is; closes it afterwards. */
  async open<T>(parts: readonly string[], use: (file: FileHandle, size: number) => Promise<T>): Promise<T | undefined> {
    return this.#in(parts, async (directory, name) => {
      const { kind } = await lookAt(directory, name);
      if (kind === 'missing' || kind === 'directory') return undefined;
      if (kind !== 'file') throw declined(`${shown(parts.join('/'))} in its .git is no plain file`);
      const file = await openFile(directory, name);
      try {
        const stats = await file.stat();
        return stats.isFile() ? await use(file, stats.size) : undefined;
      } finally {
        await file.close();
      }
    });
  }

  async #in<T>(
    parts: readonly string[],
    use: (directory: FileHandle, name: string) => Promise<T>,
  ): Promise<T | undefined> {
    const name = parts.at(-1) ?? '';
    const found = await inDirectory(this.#git, parts.slice(0, -1), async (directory) => ({
      value: await use(directory, name),
    }));
    return typeof found === 'string' ? undefined : found.value;
  }
}
