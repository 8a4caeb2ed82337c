/** Moves each group of changed lines, without changing what is changed, to where git shows it: beside a change of the other side, else where the indentation splits best. */

/** Marks have one place before the first line and one behind the last, so that a group always ends. */
class Groups {
  start = 0;
  end = 0;
  readonly lines: readonly string[];
  readonly #marks: Uint8Array;

  constructor(lines: readonly string[], marks: Uint8Array) {
    this.lines = lines;
    this.#marks = marks;
    while (this.#isMarked(this.end)) this.end += 1;
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  next(): boolean {
    if (this.end === this.lines.length) return false;
    this.start = this.end + 1;
    this.end = this.start;
    while (this.#isMarked(this.end)) this.end += 1;
    return true;
  }

  previous(): void {
    if (this.start === 0) return;
    this.end = this.start - 1;
    this.start = this.end;
    while (this.#isMarked(this.start - 1)) this.start -= 1;
  }

  down(): boolean {
    if (this.end >= this.lines.length || this.lines[this.start] !== this.lines[this.end]) return false;
    this.#mark(this.start++, 0);
    this.#mark(this.end++, 1);
    while (this.#isMarked(this.end)) this.end += 1;
    return true;
  }

  up(): boolean {
    if (this.start === 0 || this.lines[this.start - 1] !== this.lines[this.end - 1]) return false;
    this.#mark(--this.start, 1);
    this.#mark(--this.end, 0);
    while (this.#isMarked(this.start - 1)) this.start -= 1;
    return true;
  }

  #isMarked(at: number): boolean {
    return this.#marks[at + 1] === 1;
  }

  #mark(at: number, value: number): void {
    this.#marks[at + 1] = value;
  }
}

const MOST_SLIDE = 100;
const MOST_BLANKS = 20;
const MOST_INDENT = 200;

/** Columns before the first letter; -1 of an empty line. */
const indentOf = (line: string): number => {
  let columns = 0;
  for (const sign of line) {
    if (sign === ' ') columns += 1;
    else if (sign === '\t') columns += 8 - (columns % 8);
    else if (!/[\n\r\v\f]/.test(sign)) return columns;
    if (columns >= MOST_INDENT) return MOST_INDENT;
  }
  return -1;
};

const nearest = (lines: readonly string[], from: number, step: 1 | -1): { indent: number; blanks: number } => {
  let blanks = 0;
  for (let at = from; at >= 0 && at < lines.length; at += step) {
    const indent = indentOf(lines[at]!);
    if (indent !== -1) return { indent, blanks };
    blanks += 1;
    if (blanks === MOST_BLANKS) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
};

interface Score {
  readonly indent: number;
  readonly penalty: number;
}

/** How badly the text is split before the line `at`: git's weights, found by it over many repositories. */
const scoreOf = (lines: readonly string[], at: number): Score => {
  const own = at >= lines.length ? -1 : indentOf(lines[at]!);
  const above = nearest(lines, at - 1, -1);
  const below = nearest(lines, at + 1, 1);
  let penalty = above.indent === -1 && above.blanks === 0 ? 1 : 0;
  if (at >= lines.length) penalty += 21;
  const blanksBelow = own === -1 ? 1 + below.blanks : 0;
  const blanks = above.blanks + blanksBelow;
  penalty += -30 * blanks + 6 * blanksBelow;
  const indent = own === -1 ? below.indent : own;
  if (indent !== -1 && above.indent !== -1) {
    if (indent > above.indent) penalty += blanks > 0 ? 10 : -4;
    else if (indent < above.indent) {
      if (below.indent !== -1 && below.indent > indent) penalty += blanks > 0 ? 17 : 24;
      else penalty += blanks > 0 ? 17 : 23;
    }
  }
  return { indent, penalty };
};

const isNoWorse = (one: Score, other: Score): boolean =>
  60 * Math.sign(one.indent - other.indent) + (one.penalty - other.penalty) <= 0;

const bestPlace = (groups: Groups, earliest: number, size: number): number => {
  let best: { place: number; score: Score } | undefined;
  for (
    let place = Math.max(earliest, groups.end - size - 1, groups.end - MOST_SLIDE);
    place <= groups.end;
    place += 1
  ) {
    const [one, other] = [scoreOf(groups.lines, place), scoreOf(groups.lines, place - size)];
    const score = { indent: one.indent + other.indent, penalty: one.penalty + other.penalty };
    if (best === undefined || isNoWorse(score, best.score)) best = { place, score };
  }
  return best?.place ?? groups.end;
};

/** Changes `marks` in place. */
export const slideGroups = (
  lines: readonly string[],
  marks: Uint8Array,
  otherLines: readonly string[],
  otherMarks: Uint8Array,
): void => {
  const groups = new Groups(lines, marks);
  const other = new Groups(otherLines, otherMarks);
  for (;;) {
    if (!groups.isEmpty) {
      let [size, earliest, beside] = [0, 0, -1];
      do {
        size = groups.end - groups.start;
        beside = -1;
        while (groups.up()) other.previous();
        earliest = groups.end;
        if (!other.isEmpty) beside = groups.end;
        while (groups.down()) {
          other.next();
          if (!other.isEmpty) beside = groups.end;
        }
      } while (size !== groups.end - groups.start);
      if (groups.end !== earliest) {
        if (beside !== -1) {
          while (other.isEmpty && groups.up()) other.previous();
        } else {
          const place = bestPlace(groups, earliest, size);
          while (groups.end > place && groups.up()) other.previous();
        }
      }
    }
    if (!groups.next()) return;
    other.next();
  }
};
