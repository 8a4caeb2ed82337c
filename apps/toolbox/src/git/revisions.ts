/** Revisions in git's syntax, so far as the tool takes it: a name or an id, then ~N, ^N and ^{kind}; ranges and paths behind a colon. */
import { Fault } from '@bravo/faults';
import { type Objects } from './objects.ts';
import { type Commit, parseCommit, parseTag } from './parse-objects.ts';
import { noRevision, type References } from './references.ts';

const MOST_TAGS = 20;

export class Revisions {
  readonly #objects: Objects;
  readonly #references: References;
  readonly #commits = new Map<string, Commit>();
  #shallow: ReadonlySet<string> | undefined;

  constructor(objects: Objects, references: References) {
    this.#objects = objects;
    this.#references = references;
  }

  /** @throws Fault not_found, invalid_argument for a prefix that stands for several. */
  async resolve(revision: string): Promise<string> {
    const [, name = '', steps = ''] = /^([^~^]*)((?:[~^].*)?)$/.exec(revision) ?? [];
    if (name === '') throw noRevision(revision);
    let id = await this.#named(name === '@' ? 'HEAD' : name);
    if (id === undefined) throw noRevision(revision);
    let rest = steps;
    while (rest !== '') {
      const [whole = '', sign = '', number = '', kind] = /^(?:([~^])(\d{0,6})(?!\{)|\^\{(\w*)\})/.exec(rest) ?? [];
      if (whole === '') throw noRevision(revision);
      rest = rest.slice(whole.length);
      if (kind !== undefined) {
        id = await this.#peel(id, kind, revision);
        continue;
      }
      const count = number === '' ? 1 : Number(number);
      if (sign === '~') for (let n = 0; n < count; n += 1) id = await this.#parent(id, 1, revision);
      else id = count === 0 ? (await this.commit(id)).id : await this.#parent(id, count, revision);
    }
    return id;
  }

  async resolveCommit(revision: string): Promise<Commit> {
    return this.commit(await this.resolve(revision));
  }

  /** The commit itself, or the one a tag leads to. @throws Fault invalid_argument for anything else. */
  async commit(id: string): Promise<Commit> {
    const known = this.#commits.get(id);
    if (known !== undefined) return known;
    let here = id;
    for (let step = 0; step < MOST_TAGS; step += 1) {
      const object = await this.#objects.read(here);
      if (object.kind === 'tag') {
        here = parseTag(await this.#objects.need(here, 'tag')).object;
        continue;
      }
      if (object.kind !== 'commit')
        throw new Fault('invalid_argument', `${id.slice(0, 10)} is a ${object.kind} and no commit.`);
      const commit = parseCommit(here, await this.#objects.need(here, 'commit'));
      this.#shallow ??= await this.#references.shallow();
      const whole = this.#shallow.has(here) ? { ...commit, parents: [] } : commit;
      this.#commits.set(id, whole);
      return whole;
    }
    throw new Fault('conflict', 'The repository is damaged: a tag leads to no commit.');
  }

  async #named(name: string): Promise<string | undefined> {
    if (/^[0-9a-f]{40}$/i.test(name)) return name.toLowerCase();
    const id = await this.#references.findShort(name);
    if (id !== undefined || !/^[0-9a-f]{4,39}$/i.test(name)) return id;
    const ids = await this.#objects.withPrefix(name.toLowerCase());
    if (ids.length > 1)
      throw new Fault('invalid_argument', `${JSON.stringify(name)} is the beginning of several ids. Write more of it.`);
    return ids[0];
  }

  async #parent(id: string, number: number, revision: string): Promise<string> {
    const parent = (await this.commit(id)).parents[number - 1];
    if (parent === undefined) throw noRevision(revision);
    return parent;
  }

  async #peel(id: string, kind: string, revision: string): Promise<string> {
    const wanted = kind === '' ? 'commit' : kind;
    if (wanted === 'tree') return (await this.commit(id)).tree;
    if (wanted === 'commit') return (await this.commit(id)).id;
    if ((await this.#objects.read(id)).kind === wanted || wanted === 'object') return id;
    throw noRevision(revision);
  }
}
