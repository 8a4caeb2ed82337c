/** Branches, tags and what HEAD stands for; a reference that leads to another is followed a few times and never out of `refs`. */
import { Fault } from '@bravo/faults';
import { declined, type GitFiles } from './git-files.ts';
import { byBytes } from './parse-objects.ts';

const ID = /^[0-9a-f]{40}$/;
const MOST_STEPS = 5;
const MOST_NAMES = 50_000;

/** What git takes for the name of a reference, which is also one that leads nowhere else. */
const isName = (name: string): boolean =>
  name !== '' &&
  !name.split('/').some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock')) &&
  !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\.$/.test(name);

export class References {
  readonly #files: GitFiles;
  #packed: ReadonlyMap<string, string> | undefined;

  constructor(files: GitFiles) {
    this.#files = files;
  }

  /** The id behind a whole name such as HEAD or refs/heads/main; undefined where there is none. */
  async find(name: string): Promise<string | undefined> {
    let wanted = name;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (!isName(wanted) || (!wanted.startsWith('refs/') && /[a-z/]/.test(wanted))) return undefined;
      const text = (await this.#files.text(wanted.split('/')))?.trim();
      if (text === undefined) return (await this.#readPacked()).get(wanted);
      if (ID.test(text)) return text;
      const [, next] = /^ref:\s*(\S+)$/.exec(text) ?? [];
      if (next === undefined) return undefined;
      wanted = next;
    }
    return undefined;
  }

  /** In the order in which git looks. */
  async findShort(name: string): Promise<string | undefined> {
    for (const before of ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']) {
      const id = await this.find(before + name);
      if (id !== undefined) return id;
    }
    return this.find(`refs/remotes/${name}/HEAD`);
  }

  /** Names below `refs/tags/`, without it, and what they stand for. */
  async tags(): Promise<readonly { name: string; id: string }[]> {
    const found = new Map<string, string>();
    for (const [name, id] of await this.#readPacked()) if (name.startsWith('refs/tags/')) found.set(name, id);
    const walk = async (parts: readonly string[]): Promise<void> => {
      for (const name of await this.#files.names(parts)) {
        this.#files.checkTime();
        if (found.size > MOST_NAMES) throw declined(`it has more than ${MOST_NAMES} tags`);
        const below = [...parts, name];
        const id = isName(below.join('/')) ? await this.find(below.join('/')) : undefined;
        if (id !== undefined) found.set(below.join('/'), id);
        else if (parts.length < 16) await walk(below);
      }
    };
    await walk(['refs', 'tags']);
    return [...found]
      .map(([name, id]) => ({ name: name.slice('refs/tags/'.length), id }))
      .sort((a, b) => byBytes(a.name, b.name));
  }

  /** Ids of commits whose parents are not here, because the history was cut. */
  async shallow(): Promise<ReadonlySet<string>> {
    const text = (await this.#files.text(['shallow'])) ?? '';
    return new Set(text.split('\n').filter((line) => ID.test(line)));
  }

  async #readPacked(): Promise<ReadonlyMap<string, string>> {
    if (this.#packed !== undefined) return this.#packed;
    const found = new Map<string, string>();
    for (const line of ((await this.#files.text(['packed-refs'])) ?? '').split('\n')) {
      const [, id, name] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? [];
      if (id === undefined || name === undefined) continue;
      if (name.startsWith('refs/replace/')) throw declined('it replaces objects');
      found.set(name, id);
    }
    this.#packed = found;
    return found;
  }
}

export const noRevision = (revision: string): Fault =>
  new Fault(
    'not_found',
    `There is no revision ${JSON.stringify(revision)}. Name a branch, a tag, HEAD or an id, then ~N, ^N or ^{commit}.`,
  );
