/** Commits in git's own order, the newest first by when they were committed; with a path only those that changed it, as git simplifies history. */
import type { GitFiles } from './git-files.ts';
import type { Objects } from './objects.ts';
import type { Commit } from './parse-objects.ts';
import type { Revisions } from './revisions.ts';
import { entryAt } from './trees.ts';

interface Waiting {
  readonly commit: Commit;
  readonly order: number;
}

/** Newest first; of one second, first come first. */
class Queue {
  readonly #heap: Waiting[] = [];
  #order = 0;

  push(commit: Commit): void {
    const heap = this.#heap;
    heap.push({ commit, order: (this.#order += 1) });
    for (let at = heap.length - 1; at > 0;) {
      const above = (at - 1) >> 1;
      if (!this.#before(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): Commit | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return undefined;
    if (heap.length > 0) {
      heap[0] = last;
      for (let at = 0; ;) {
        let best = at;
        for (const below of [2 * at + 1, 2 * at + 2])
          if (below < heap.length && this.#before(below, best)) best = below;
        if (best === at) break;
        this.#swap(at, best);
        at = best;
      }
    }
    return first.commit;
  }

  #before(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a]!, this.#heap[b]!];
    const [mine, theirs] = [one.commit.committer.seconds, other.commit.committer.seconds];
    return mine === theirs ? one.order < other.order : mine > theirs;
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!];
  }
}

export interface HistoryParts {
  readonly files: GitFiles;
  readonly objects: Objects;
  readonly revisions: Revisions;
}

/** Ids of everything that `from` reaches, itself among it. */
export const reachable = async ({ files, revisions }: HistoryParts, from: Commit): Promise<Set<string>> => {
  const seen = new Set([from.id]);
  const waiting = [from];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    files.checkTime();
    for (const id of next.parents) {
      if (seen.has(id)) continue;
      seen.add(id);
      waiting.push(await revisions.commit(id));
    }
  }
  return seen;
};

/** @param path '' for the whole tree. */
export async function* walkHistory(
  parts: HistoryParts,
  from: Commit,
  without: ReadonlySet<string>,
  path: string,
): AsyncGenerator<Commit> {
  const { files, objects, revisions } = parts;
  const at = async (commit: Commit): Promise<string> => {
    const entry = await entryAt(objects, commit.tree, path);
    return entry === undefined ? '' : `${entry.mode} ${entry.id}`;
  };
  const queue = new Queue();
  const seen = new Set([from.id]);
  if (!without.has(from.id)) queue.push(from);
  for (let commit = queue.pop(); commit !== undefined; commit = queue.pop()) {
    files.checkTime();
    const parents: Commit[] = [];
    for (const id of commit.parents) parents.push(await revisions.commit(id));
    let followed = parents;
    let shown = true;
    if (path !== '') {
      const here = await at(commit);
      if (parents.length === 0) shown = here !== '';
      for (const parent of parents) {
        if ((await at(parent)) !== here) continue;
        // What one side left as it was came from there alone.
        followed = [parent];
        shown = false;
        break;
      }
    }
    for (const parent of followed) {
      if (seen.has(parent.id) || without.has(parent.id)) continue;
      seen.add(parent.id);
      queue.push(parent);
    }
    if (shown) yield commit;
  }
}
