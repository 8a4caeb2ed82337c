/** Finds what a pattern matches among given entries. Guarantees sorted answers and work bound by the entries times the pattern; it must never look at a disk. */
import { PROGRAM_LIMITS } from '../limits/program-limits.ts';
import { LineRefused } from './line-plan.ts';
import type { Piece, Word } from './read-word.ts';

/** What stands below the directory the line runs in. */
export interface EntryTree {
  readonly children: ReadonlyMap<string, EntryTree>;
}

type Part =
  | { readonly kind: 'name'; readonly name: string }
  /** `least`: characters a name must have to fit. */
  | { readonly kind: 'pattern'; readonly pieces: Word; readonly writesDot: boolean; readonly least: number }
  | { readonly kind: 'tree' };

/** Directories a double star does not go into, besides those whose name begins with a dot. Written out, each can be. */
const NOT_WALKED = new Set(['node_modules', 'target']);

/** `files`: paths from that directory; the directories on their way are entries too. A path ending in a slash is a directory. */
export function treeOfEntries(files: Iterable<string>): EntryTree {
  const root = { children: new Map() };
  for (const file of files) {
    let node: { children: Map<string, EntryTree> } = file.startsWith('/') ? child(root, '/') : root;
    for (const name of file.split('/')) {
      if (name !== '' && name !== '.') node = child(node, name);
    }
  }
  return root;
}

function child(node: { children: Map<string, EntryTree> }, name: string): { children: Map<string, EntryTree> } {
  const known = node.children.get(name) as { children: Map<string, EntryTree> } | undefined;
  if (known !== undefined) return known;
  const fresh = { children: new Map<string, EntryTree>() };
  node.children.set(name, fresh);
  return fresh;
}

/** Paths in the order of their characters, each once. `word` holds no braces and no home. */
export function matchEntries(tree: EntryTree, word: Word): readonly string[] {
  const [first] = word;
  const isAbsolute = first?.kind === 'text' && first.text.startsWith('/');
  const root = isAbsolute ? tree.children.get('/') : tree;
  if (root === undefined) return [];
  const parts = partsOf(word);
  const found = new Set<string>();
  const seen = new Set<string>();
  const pending: { readonly path: string; readonly node: EntryTree; readonly part: number }[] = [
    { path: '', node: root, part: 0 },
  ];
  const walked = { directories: 0 };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, node, part: at } = next;
    const key = `${at}/${path}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const part = parts[at];
    if (part === undefined) {
      found.add(isAbsolute ? `/${path}` : path);
      continue;
    }
    for (const step of follow(part, node, at + 1 === parts.length, walked)) {
      pending.push({ path: join(path, step.name), node: step.node, part: step.stays ? at : at + 1 });
    }
  }
  return [...found].sort(byCharacters);
}

interface Followed {
  readonly name: string;
  readonly node: EntryTree;
  /** The part may take further directories. */
  readonly stays: boolean;
}

function follow(part: Part, node: EntryTree, isLast: boolean, walked: { directories: number }): Followed[] {
  if (part.kind === 'name') {
    // Here is here, and it is kept in the answer as it was spelled.
    const named = part.name === '.' ? node : node.children.get(part.name);
    return named === undefined ? [] : [{ name: part.name, node: named, stays: false }];
  }
  walked.directories += 1;
  const { value } = PROGRAM_LIMITS['run-directories'];
  if (walked.directories > value) throw new LineRefused('TooMany', `a pattern may walk ${value} directories`);
  const entries = [...node.children].filter(([name]) => name !== '/');
  if (part.kind === 'tree') {
    const below = entries
      .filter(([name, entry]) => entry.children.size > 0 && !name.startsWith('.') && !NOT_WALKED.has(name))
      .map(([name, entry]) => ({ name, node: entry, stays: true }));
    // As the last part it stands for what is here too, not only for where to look.
    const here = isLast
      ? entries
          .filter(([name]) => !name.startsWith('.') && !NOT_WALKED.has(name))
          .map(([name, entry]) => ({ name, node: entry, stays: false }))
      : [{ name: '', node, stays: false }];
    return [...here, ...below];
  }
  return entries
    .filter(([name, entry]) => (isLast || entry.children.size > 0) && matchesName(part, name))
    .map(([name, entry]) => ({ name, node: entry, stays: false }));
}

function join(path: string, name: string): string {
  if (name === '') return path;
  return path === '' ? name : `${path}/${name}`;
}

function partsOf(word: Word): readonly Part[] {
  const segments: Piece[][] = [[]];
  for (const piece of word) {
    if (piece.kind !== 'text') segments[segments.length - 1]?.push(piece);
    else {
      piece.text.split('/').forEach((text, at) => {
        if (at > 0) segments.push([]);
        if (text !== '') segments[segments.length - 1]?.push({ kind: 'text', text });
      });
    }
  }
  return segments
    .filter((pieces) => pieces.length > 0)
    .map((pieces): Part => {
      const [only] = pieces;
      if (pieces.length === 1 && only?.kind === 'tree') return { kind: 'tree' };
      if (pieces.length === 1 && only?.kind === 'text') return { kind: 'name', name: only.text };
      return readPattern(pieces);
    })
    .filter((part, at, all) => part.kind !== 'tree' || all[at - 1]?.kind !== 'tree');
}

function readPattern(pieces: Word): Part {
  const [first] = pieces;
  const characters = pieces.flatMap(splitText);
  return {
    kind: 'pattern',
    pieces: characters,
    writesDot: first?.kind === 'text' && first.text.startsWith('.'),
    least: characters.filter((piece) => !isStar(piece)).length,
  };
}

function isStar(piece: Piece | undefined): boolean {
  return piece?.kind === 'any' || piece?.kind === 'tree';
}

/** A name that begins with a dot is met only by a pattern that writes the dot. */
function matchesName(part: Extract<Part, { kind: 'pattern' }>, name: string): boolean {
  if (name.startsWith('.') && !part.writesDot) return false;
  const characters = [...name];
  return part.least <= characters.length && matchesPieces(part.pieces, characters);
}

function splitText(piece: Piece): readonly Piece[] {
  return piece.kind === 'text' ? [...piece.text].map((text): Piece => ({ kind: 'text', text })) : [piece];
}

/** The stretch after a star is laid at the first place it fits; an earlier star never has to be looked at again. */
function matchesPieces(pieces: Word, name: readonly string[]): boolean {
  let place = 0;
  let item = 0;
  let lastStar = -1;
  let lastStart = 0;
  while (item < name.length) {
    const piece = pieces[place];
    if (isStar(piece)) {
      lastStar = place;
      lastStart = item;
      place += 1;
    } else if (piece !== undefined && fits(piece, name[item] ?? '')) {
      place += 1;
      item += 1;
    } else if (lastStar >= 0) {
      lastStart += 1;
      place = lastStar + 1;
      item = lastStart;
    } else return false;
  }
  while (isStar(pieces[place])) place += 1;
  return place === pieces.length;
}

function fits(piece: Piece, char: string): boolean {
  if (piece.kind === 'text') return piece.text === char;
  if (piece.kind === 'class') return isInClass(piece.body, char);
  return piece.kind === 'one';
}

/** Characters and ranges; a leading `!` or `^` means any other. */
function isInClass(body: string, char: string): boolean {
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const members = [...(isNegated ? body.slice(1) : body)];
  let isIn = false;
  for (let at = 0; at < members.length; at += 1) {
    const from = codeOf(members[at]);
    const isRange = members[at + 1] === '-' && members[at + 2] !== undefined;
    const to = isRange ? codeOf(members[at + 2]) : from;
    if (codeOf(char) >= from && codeOf(char) <= to) isIn = true;
    if (isRange) at += 2;
  }
  return isIn !== isNegated;
}

function codeOf(char: string | undefined): number {
  return char?.codePointAt(0) ?? -1;
}

/** By code points, as UTF-8 bytes would sort, so that a plan is the same on every machine. */
function byCharacters(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = codeOf(a[at]) - codeOf(b[at]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
