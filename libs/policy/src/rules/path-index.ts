/** Many path patterns looked up at once: a trie over their leading names. Guarantees that every pattern covering a path is visited, at a cost bound by the path's depth and not by the number of patterns; it must never leave one out. */
import { ANY_DEPTH, matchesSegments, type PathPattern, type PatternSegment } from './path-pattern.ts';
import { TextIndex } from './text-index.ts';
import { keyOfTextPattern, type TextPattern } from './text-pattern.ts';

interface Entry<Value> {
  readonly segments: readonly PatternSegment[];
  readonly value: Value;
}

interface Node<Value> {
  readonly children: Map<string, Node<Value>>;
  /** The path that ends here. */
  here: Entry<Value> | undefined;
  /** The whole tree from here. */
  tree: Entry<Value> | undefined;
  /** Patterns that go on with a star, filed under the segment that says most. */
  keyed: TextIndex<Entry<Value>[]> | undefined;
  readonly buckets: Map<string, Entry<Value>[]>;
  /** Patterns of nothing but stars: there are few different ones. */
  readonly open: Entry<Value>[];
}

export class PathIndex<Value> {
  readonly #root = { relative: emptyNode<Value>(), absolute: emptyNode<Value>() };
  readonly #known = new Set<string>();

  /** The first value given for a pattern stands. */
  add(pattern: PathPattern, value: Value): void {
    const key = `${pattern.absolute ? '/' : '.'}${pattern.segments.map(keyOfSegment).join('/')}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    let node = pattern.absolute ? this.#root.absolute : this.#root.relative;
    let depth = 0;
    for (; ; depth += 1) {
      const name = literalOf(pattern.segments[depth]);
      if (name === undefined) break;
      const known = node.children.get(name);
      const next = known ?? emptyNode<Value>();
      if (known === undefined) node.children.set(name, next);
      node = next;
    }
    file(node, pattern.segments.slice(depth), { segments: pattern.segments, value });
  }

  /** Calls `visit` for every pattern that covers the path; more than once for one of them is possible. */
  visit(absolute: boolean, path: readonly string[], visit: (value: Value) => void): void {
    const check = (entry: Entry<Value>): void => {
      if (matchesSegments(entry.segments, path)) visit(entry.value);
    };
    let node: Node<Value> | undefined = absolute ? this.#root.absolute : this.#root.relative;
    for (let depth = 0; node !== undefined; depth += 1) {
      if (node.tree !== undefined) visit(node.tree.value);
      if (depth === path.length && node.here !== undefined) visit(node.here.value);
      node.open.forEach(check);
      for (let at = depth; node.keyed !== undefined && at < path.length; at += 1) {
        node.keyed.visit(path[at] ?? '', (bucket) => bucket.forEach(check));
      }
      const name: string | undefined = path[depth];
      node = name === undefined ? undefined : node.children.get(name);
    }
  }
}

function file<Value>(node: Node<Value>, rest: readonly PatternSegment[], entry: Entry<Value>): void {
  if (rest.length === 0) {
    node.here = entry;
    return;
  }
  if (rest.length === 1 && rest[0] === ANY_DEPTH) {
    node.tree = entry;
    return;
  }
  const key = mostTelling(rest);
  if (key === undefined) {
    node.open.push(entry);
    return;
  }
  // Patterns with the same telling segment share a bucket: the index keeps one value for it.
  const spelled = keyOfTextPattern(key);
  const bucket = node.buckets.get(spelled);
  if (bucket !== undefined) {
    bucket.push(entry);
    return;
  }
  const fresh = [entry];
  node.buckets.set(spelled, fresh);
  node.keyed ??= new TextIndex();
  node.keyed.add(key, fresh);
}

/** The segment with the longest literal part, a whole name before one with a star. */
function mostTelling(rest: readonly PatternSegment[]): TextPattern | undefined {
  let best: TextPattern | undefined;
  let bestWeight = 0;
  for (const segment of rest) {
    if (segment === ANY_DEPTH) continue;
    const weight = Math.max(...segment.map((part) => part.length)) + (segment.length === 1 ? 1_000_000 : 0);
    if (weight > bestWeight) {
      best = segment;
      bestWeight = weight;
    }
  }
  return best;
}

function literalOf(segment: PatternSegment | undefined): string | undefined {
  return segment === undefined || segment === ANY_DEPTH || segment.length !== 1 ? undefined : segment[0];
}

function keyOfSegment(segment: PatternSegment): string {
  return segment === ANY_DEPTH ? ANY_DEPTH : keyOfTextPattern(segment);
}

function emptyNode<Value>(): Node<Value> {
  return { children: new Map(), here: undefined, tree: undefined, keyed: undefined, buckets: new Map(), open: [] };
}
