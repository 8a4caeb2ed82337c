/** The change between two texts, line by line. Guarantees that every changed line is in it, also where a shortest change is too dear to look for; it must never leave a line out. */
import { diffArrays } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  /** Number in the text before, from 1; absent of an added line. */
  readonly before?: number;
  readonly after?: number;
  /** Without its line feed. A carriage return before it belongs to the line. */
  readonly text: string;
}

export interface Hunk {
  readonly lines: readonly DiffLine[];
}

export interface LineDiff {
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** Set where only the end differs: a last line with or without a line feed. */
  readonly lastLineEnds?: 'gained' | 'lost';
}

const CONTEXT = 3;
/** Edit distance past which the changed middle is shown as removed and added whole. */
const MAX_DISTANCE = 2_000;

export function diffLines(before: string, after: string): LineDiff {
  const old = linesOf(before);
  const now = linesOf(after);
  const lines = [...walk(old, now)];
  const ends =
    before !== '' && after !== '' && before.endsWith('\n') !== after.endsWith('\n')
      ? { lastLineEnds: after.endsWith('\n') ? ('gained' as const) : ('lost' as const) }
      : {};
  return {
    hunks: hunksOf(lines),
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    ...ends,
  };
}

/** Of an empty text no line; a line feed ends a line and begins none. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function* walk(old: readonly string[], now: readonly string[]): Generator<DiffLine> {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  for (let at = 0; at < head; at += 1) yield { kind: 'same', before: at + 1, after: at + 1, text: old[at]! };
  const [from, to] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  let before = head + 1;
  let after = head + 1;
  for (const { kind, lines } of changesOf(from, to)) {
    for (const text of lines) {
      if (kind === 'same') yield { kind, before: before++, after: after++, text };
      else if (kind === 'removed') yield { kind, before: before++, text };
      else yield { kind, after: after++, text };
    }
  }
  for (let at = 0; at < tail; at += 1)
    yield { kind: 'same', before: before++, after: after++, text: old[old.length - tail + at]! };
}

interface Change {
  readonly kind: DiffLine['kind'];
  readonly lines: readonly string[];
}

function changesOf(from: readonly string[], to: readonly string[]): readonly Change[] {
  const whole: Change[] = [
    { kind: 'removed', lines: from },
    { kind: 'added', lines: to },
  ];
  if (from.length === 0 || to.length === 0) return whole;
  const changes = diffArrays([...from], [...to], { maxEditLength: MAX_DISTANCE });
  return (
    changes?.map(({ added, removed, value }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      lines: value,
    })) ?? whole
  );
}

/** Changed lines with what stands around them; stretches that touch are one. */
function hunksOf(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: { from: number; to: number }[] = [];
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    const from = Math.max(0, at - CONTEXT);
    const to = Math.min(lines.length, at + CONTEXT + 1);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  }
  return hunks.map(({ from, to }) => ({ lines: lines.slice(from, to) }));
}
