/** Two versions of a text as git's unified diff, with three lines around each change. */
import { linesOf, markChanges } from './line-diff.ts';
import { slideGroups } from './slide-groups.ts';

const AROUND = 3;
const MOST_HEADING = 80;

interface Run {
  readonly a: number;
  readonly aCount: number;
  readonly b: number;
  readonly bCount: number;
}

const runsOf = (before: Uint8Array, after: Uint8Array, lengths: readonly [number, number]): Run[] => {
  const runs: Run[] = [];
  for (let [a, b] = [0, 0]; a < lengths[0] || b < lengths[1];) {
    const [fromA, fromB] = [a, b];
    while (a < lengths[0] && before[a + 1] === 1) a += 1;
    while (b < lengths[1] && after[b + 1] === 1) b += 1;
    if (a > fromA || b > fromB) runs.push({ a: fromA, aCount: a - fromA, b: fromB, bCount: b - fromB });
    else [a, b] = [a + 1, b + 1];
  }
  return runs;
};

const span = (start: number, count: number): string => {
  const first = count === 0 ? start : start + 1;
  return count === 1 ? String(first) : `${first},${count}`;
};

const prefixed = (sign: string, line: string): string =>
  line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;

/** Empty where they are the same. */
export const unifiedDiff = (before: string, after: string): string => {
  const [a, b] = [linesOf(before), linesOf(after)];
  const marked = markChanges(a, b);
  slideGroups(a, marked.before, b, marked.after);
  slideGroups(b, marked.after, a, marked.before);
  const runs = runsOf(marked.before, marked.after, [a.length, b.length]);
  const parts: string[] = [];
  let heading = '';
  let looked = -1;
  for (let at = 0; at < runs.length;) {
    let last = at;
    while (last + 1 < runs.length && runs[last + 1]!.a - (runs[last]!.a + runs[last]!.aCount) <= 2 * AROUND) last += 1;
    const [first, end] = [runs[at]!, runs[last]!];
    const lead = Math.min(AROUND, first.a, first.b);
    const trail = Math.min(AROUND, a.length - end.a - end.aCount, b.length - end.b - end.bCount);
    const [fromA, fromB] = [first.a - lead, first.b - lead];
    const [countA, countB] = [end.a + end.aCount + trail - fromA, end.b + end.bCount + trail - fromB];
    for (let line = fromA - 1; line > looked && line >= 0; line -= 1) {
      if (!/^[A-Za-z_$]/.test(a[line]!)) continue;
      heading = Buffer.from(a[line]!).subarray(0, MOST_HEADING).toString('utf8').replace(/\s+$/, '');
      break;
    }
    looked = fromA - 1;
    parts.push(`@@ -${span(fromA, countA)} +${span(fromB, countB)} @@${heading === '' ? '' : ` ${heading}`}\n`);
    let place = fromA;
    for (const { a: from, aCount, b: to, bCount } of runs.slice(at, last + 1)) {
      for (; place < from; place += 1) parts.push(prefixed(' ', a[place]!));
      for (; place < from + aCount; place += 1) parts.push(prefixed('-', a[place]!));
      for (let line = to; line < to + bCount; line += 1) parts.push(prefixed('+', b[line]!));
    }
    for (; place < fromA + countA; place += 1) parts.push(prefixed(' ', a[place]!));
    at = last + 1;
  }
  return parts.join('');
};
