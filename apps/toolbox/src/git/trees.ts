/** What a tree holds, and in what two trees differ, path by path in git's order; nothing that is the same on both sides is opened. */
import { Fault } from '@bravo/faults';
import type { Objects } from './objects.ts';
import { byBytes, DIRECTORY, parseTree, type TreeEntry } from './parse-objects.ts';

export interface FileVersion {
  readonly mode: number;
  readonly id: string;
}

export interface Change {
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

const MOST_DEPTH = 128;

/** Undefined where nothing is; the tree itself for ''. */
export const entryAt = async (objects: Objects, tree: string, path: string): Promise<FileVersion | undefined> => {
  let here: FileVersion = { mode: DIRECTORY, id: tree };
  for (const name of path === '' ? [] : path.split('/')) {
    if (here.mode !== DIRECTORY) return undefined;
    const entry = parseTree(await objects.need(here.id, 'tree')).find((one) => one.name === name);
    if (entry === undefined) return undefined;
    here = entry;
  }
  return here;
};

const tooDeep = (): Fault => new Fault('conflict', `The repository is damaged: a tree is deeper than ${MOST_DEPTH}.`);

/** Whether a path, or what is below it, may be one of those wanted. */
const mayHold = (directory: string, wanted: string): boolean =>
  wanted === '' || directory === wanted || directory.startsWith(`${wanted}/`) || wanted.startsWith(`${directory}/`);
const isWanted = (path: string, wanted: string): boolean =>
  wanted === '' || path === wanted || path.startsWith(`${wanted}/`);

/** Every file of a tree, in git's order. */
export async function* filesOf(
  objects: Objects,
  tree: string,
  wanted = '',
  before = '',
  depth = 0,
): AsyncGenerator<FileVersion & { path: string }> {
  if (depth > MOST_DEPTH) throw tooDeep();
  for (const { mode, name, id } of parseTree(await objects.need(tree, 'tree'))) {
    const path = before + name;
    if (mode === DIRECTORY) {
      if (mayHold(path, wanted)) yield* filesOf(objects, id, wanted, `${path}/`, depth + 1);
    } else if (isWanted(path, wanted)) yield { path, mode, id };
  }
}

/** A directory and a file of one name stand apart, each where git has it. */
const keyed = (entries: readonly TreeEntry[]): Map<string, TreeEntry> =>
  new Map(entries.map((entry) => [entry.mode === DIRECTORY ? `${entry.name}/` : entry.name, entry]));

/** '' stands for an empty tree. */
export async function* diffTrees(
  objects: Objects,
  before: string,
  after: string,
  wanted = '',
  prefix = '',
  depth = 0,
): AsyncGenerator<Change> {
  if (before === after) return;
  if (depth > MOST_DEPTH) throw tooDeep();
  const read = async (tree: string) => keyed(tree === '' ? [] : parseTree(await objects.need(tree, 'tree')));
  const [old, fresh] = [await read(before), await read(after)];
  for (const key of [...new Set([...old.keys(), ...fresh.keys()])].sort(byBytes)) {
    const [was, is] = [old.get(key), fresh.get(key)];
    if (was?.id === is?.id && was?.mode === is?.mode) continue;
    if (key.endsWith('/')) {
      const directory = prefix + key.slice(0, -1);
      if (mayHold(directory, wanted))
        yield* diffTrees(objects, was?.id ?? '', is?.id ?? '', wanted, `${directory}/`, depth + 1);
    } else if (isWanted(prefix + key, wanted)) yield { path: prefix + key, before: was, after: is };
  }
}
