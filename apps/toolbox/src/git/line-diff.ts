/**
 * Which lines of two texts differ, as few as may be, set where git sets them: Myers' search in linear space (1986), then each group
 * of changed lines moved to where the indentation splits best. Bounded: beyond a cost a good split is taken for the best.
 */

export interface Marked {
  /** One per line: 1 where the line has no partner. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const MOST_COST = 2_500;

/** Lines with their ends; the last may have none. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

class Comparison {
  readonly #a: Uint32Array;
  readonly #b: Uint32Array;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #zero: number;

  constructor(
    a: Uint32Array,
    b: Uint32Array,
    readonly onlyA: (at: number) => void,
    readonly onlyB: (at: number) => void,
  ) {
    this.#a = a;
    this.#b = b;
    const size = a.length + b.length + 3;
    this.#forward = new Int32Array(2 * size + 2);
    this.#backward = new Int32Array(2 * size + 2);
    this.#zero = b.length + 1;
  }

  compare(fromA: number, toA: number, fromB: number, toB: number): void {
    const work: [number, number, number, number][] = [[fromA, toA, fromB, toB]];
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      let [a1, a2, b1, b2] = next;
      while (a1 < a2 && b1 < b2 && this.#a[a1] === this.#b[b1]) [a1, b1] = [a1 + 1, b1 + 1];
      while (a1 < a2 && b1 < b2 && this.#a[a2 - 1] === this.#b[b2 - 1]) [a2, b2] = [a2 - 1, b2 - 1];
      if (a1 === a2) for (let at = b1; at < b2; at += 1) this.onlyB(at);
      else if (b1 === b2) for (let at = a1; at < a2; at += 1) this.onlyA(at);
      else {
        const [a, b] = this.#middle(a1, a2, b1, b2);
        work.push([a, a2, b, b2], [a1, a, b1, b]);
      }
    }
  }

  /** A point that a shortest way runs through. */
  #middle(a1: number, a2: number, b1: number, b2: number): [number, number] {
    const [forward, backward, zero] = [this.#forward, this.#backward, this.#zero];
    const [low, high] = [a1 - b2, a2 - b1];
    const [start, end] = [a1 - b1, a2 - b2];
    const odd = ((start - end) & 1) !== 0;
    let [fLow, fHigh, bLow, bHigh] = [start, start, end, end];
    forward[zero + start] = a1;
    backward[zero + end] = a2;
    for (let cost = 1; ; cost += 1) {
      if (fLow > low) forward[zero + --fLow - 1] = -1;
      else fLow += 1;
      if (fHigh < high) forward[zero + ++fHigh + 1] = -1;
      else fHigh -= 1;
      for (let k = fHigh; k >= fLow; k -= 2) {
        const [left, right] = [forward[zero + k - 1]!, forward[zero + k + 1]!];
        let a = left >= right ? left + 1 : right;
        while (a < a2 && a - k < b2 && this.#a[a] === this.#b[a - k]) a += 1;
        forward[zero + k] = a;
        if (odd && bLow <= k && k <= bHigh && backward[zero + k]! <= a) return [a, a - k];
      }
      if (bLow > low) backward[zero + --bLow - 1] = 0x7fffffff;
      else bLow += 1;
      if (bHigh < high) backward[zero + ++bHigh + 1] = 0x7fffffff;
      else bHigh -= 1;
      for (let k = bHigh; k >= bLow; k -= 2) {
        const [left, right] = [backward[zero + k - 1]!, backward[zero + k + 1]!];
        let a = left < right ? left : right - 1;
        while (a > a1 && a - k > b1 && this.#a[a - 1] === this.#b[a - k - 1]) a -= 1;
        backward[zero + k] = a;
        if (!odd && fLow <= k && k <= fHigh && a <= forward[zero + k]!) return [a, a - k];
      }
      if (cost < MOST_COST) continue;
      let best: [number, number] = [a1, b1];
      for (let k = fHigh; k >= fLow; k -= 2) {
        const a = Math.min(forward[zero + k]!, a2);
        const b = Math.min(a - k, b2);
        if (b >= b1 && a + b > best[0] + best[1]) best = [b + k, b];
      }
      return best;
    }
  }
}

export const markChanges = (before: readonly string[], after: readonly string[]): Marked => {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Uint32Array =>
    Uint32Array.from(lines, (line) => {
      const known = numbers.get(line) ?? numbers.size;
      numbers.set(line, known);
      return known;
    });
  const [a, b] = [numbered(before), numbered(after)];
  const marked = { before: new Uint8Array(a.length + 2), after: new Uint8Array(b.length + 2) };
  const [inA, inB] = [new Set(a), new Set(b)];
  // Lines the other side does not have change whatever is compared, so they are taken out of the comparison.
  let [head, tail] = [0, 0];
  const most = Math.min(a.length, b.length);
  while (head < most && a[head] === b[head]) head += 1;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const kept = (lines: Uint32Array, others: Set<number>, marks: Uint8Array): number[] => {
    const places: number[] = [];
    for (let at = head; at < lines.length - tail; at += 1) {
      if (others.has(lines[at]!)) places.push(at);
      else marks[at + 1] = 1;
    }
    return places;
  };
  const [placesA, placesB] = [kept(a, inB, marked.before), kept(b, inA, marked.after)];
  new Comparison(
    Uint32Array.from(placesA, (at) => a[at]!),
    Uint32Array.from(placesB, (at) => b[at]!),
    (at) => (marked.before[placesA[at]! + 1] = 1),
    (at) => (marked.after[placesB[at]! + 1] = 1),
  ).compare(0, placesA.length, 0, placesB.length);
  return marked;
};
