/** One line as a person is shown it. Guarantees that what cannot be seen is a symbol in the text itself and marked, so that a front end which ignores the marks still hides nothing. */
import { revealHidden } from './reveal-hidden.ts';

/** `[place, length, what stands there]`, in UTF-16 code units of the text. */
export type Mark = readonly [number, number, string];

export interface ShownText {
  readonly text: string;
  /** Left out where there is none. */
  readonly marks?: readonly Mark[];
}

/** Longer lines are cut, and the cut is said. */
const MAX_LINE_CHARS = 4_000;

/** A line feed inside is a symbol too: one value is one line. */
export function showText(value: string): ShownText {
  const kept = value.length <= MAX_LINE_CHARS ? value : value.slice(0, MAX_LINE_CHARS);
  let text = '';
  const marks: Mark[] = [];
  for (const stretch of revealHidden(kept)) {
    for (const [at, part] of stretch.text.split('\n').entries()) {
      if (at > 0) {
        marks.push([text.length, 1, 'line feed (U+000A)']);
        text += '␊';
      }
      if (stretch.hidden !== undefined) marks.push([text.length, part.length, stretch.hidden]);
      text += part;
    }
  }
  if (kept !== value) {
    const cut = `… ${value.length - kept.length} more characters in this line`;
    marks.push([text.length, cut.length, 'cut here']);
    text += cut;
  }
  return marks.length === 0 ? { text } : { text, marks };
}

/** How many characters are drawn as a symbol, tabs and cuts aside. */
export function countMarks({ text, marks = [] }: ShownText): number {
  return marks.filter(([at, length, what]) => what !== 'cut here' && text.slice(at, at + length) !== '⇥').length;
}
