/** Many text patterns looked up at once. Guarantees that every pattern that fits a text is visited, at a cost that depends on the text and not on how many patterns there are; it must never leave one out. */
import { keyOfTextPattern, matchesText, type TextPattern } from './text-pattern.ts';

/** Longer keys would only make more distinct lengths to try. */
const LONGEST_KEY = 128;
/** A key inside a text is tried from every place, so it is kept short. */
const LONGEST_INNER_KEY = 16;

interface Entry<Value> {
  readonly pattern: TextPattern;
  readonly value: Value;
}

interface Branch<Value> {
  readonly next: Map<string, Branch<Value>>;
  readonly entries: Entry<Value>[];
}

/** Patterns whose key is a piece of text of known length at one end of the text. */
class EndTable<Value> {
  readonly #byKey = new Map<string, Entry<Value>[]>();
  #lengths: number[] = [];

  add(key: string, entry: Entry<Value>): void {
    const bucket = this.#byKey.get(key);
    if (bucket !== undefined) {
      bucket.push(entry);
      return;
    }
    this.#byKey.set(key, [entry]);
    if (!this.#lengths.includes(key.length)) this.#lengths = [...this.#lengths, key.length].sort((a, b) => a - b);
  }

  visit(text: string, end: 'start' | 'end', visit: (entry: Entry<Value>) => void): void {
    for (const length of this.#lengths) {
      if (length > text.length) return;
      const key = end === 'start' ? text.slice(0, length) : text.slice(text.length - length);
      for (const entry of this.#byKey.get(key) ?? []) visit(entry);
    }
  }
}

export class TextIndex<Value> {
  readonly #known = new Set<string>();
  readonly #whole = new Map<string, Value>();
  readonly #starts = new EndTable<Value>();
  readonly #ends = new EndTable<Value>();
  readonly #inner: Branch<Value> = { next: new Map(), entries: [] };
  #hasInner = false;
  #open: Value | undefined;
  #isOpen = false;

  /** The first value given for a pattern stands; a pattern met again adds nothing. */
  add(pattern: TextPattern, value: Value): void {
    const key = keyOfTextPattern(pattern);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    if (pattern.length <= 1) {
      this.#whole.set(pattern[0] ?? '', value);
      return;
    }
    this.#addStarred({ pattern, value });
  }

  /** Calls `visit` once for every pattern that fits the whole of `text`. */
  visit(text: string, visit: (value: Value) => void): void {
    if (this.#isOpen) visit(this.#open as Value);
    if (this.#whole.has(text)) visit(this.#whole.get(text) as Value);
    const check = (entry: Entry<Value>): void => {
      if (matchesText(entry.pattern, text)) visit(entry.value);
    };
    this.#starts.visit(text, 'start', check);
    this.#ends.visit(text, 'end', check);
    if (this.#hasInner) this.#visitInner(text, check);
  }

  /** Filed under its longest part, because that is the part fewest texts hold. */
  #addStarred(entry: Entry<Value>): void {
    const { pattern } = entry;
    const first = pattern[0] ?? '';
    const last = pattern[pattern.length - 1] ?? '';
    const inner = longest(pattern.slice(1, -1));
    if (first.length >= last.length && first.length >= inner.length) {
      if (first === '') {
        this.#open = entry.value;
        this.#isOpen = true;
      } else this.#starts.add(first.slice(0, LONGEST_KEY), entry);
    } else if (last.length >= inner.length) {
      this.#ends.add(last.slice(-LONGEST_KEY), entry);
    } else {
      this.#hasInner = true;
      let branch = this.#inner;
      for (const char of inner.slice(0, LONGEST_INNER_KEY).split('')) {
        const known = branch.next.get(char);
        const next: Branch<Value> = known ?? { next: new Map(), entries: [] };
        if (known === undefined) branch.next.set(char, next);
        branch = next;
      }
      branch.entries.push(entry);
    }
  }

  #visitInner(text: string, check: (entry: Entry<Value>) => void): void {
    const seen = new Set<Branch<Value>>();
    for (let from = 0; from < text.length; from += 1) {
      let branch: Branch<Value> | undefined = this.#inner;
      for (let at = from; branch !== undefined; at += 1) {
        if (branch.entries.length > 0 && !seen.has(branch)) {
          seen.add(branch);
          branch.entries.forEach(check);
        }
        branch = at < text.length ? branch.next.get(text.charAt(at)) : undefined;
      }
    }
  }
}

function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '');
}
