/** Makes every character that could hide or reorder what a person reads into a visible symbol; it must never drop or alter a visible one. A letter that poses as one of another script is marked as well. */

import { findPosing } from './find-posing.ts';

export interface Stretch {
  text: string;
  /** Set when `text` is a symbol that stands for a character which cannot be seen: what it is. */
  hidden?: string;
}

/**
 * Control, format (bidirectional, zero width, tags), surrogate, private-use and unassigned characters, line and paragraph separators,
 * every space but U+0020, whatever Unicode lets a font ignore, and the blank braille pattern. Newline is layout and stays.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/u;

const NAMES: Record<number, string> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x09: 'tab',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0xfeff: 'byte order mark',
};

const SHORT: Record<number, string> = {
  0x00: 'NUL',
  0x07: 'BEL',
  0x08: 'BS',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0xa0: 'NBSP',
};

/** Splits text into visible stretches and symbols, in order. */
export function revealHidden(value: string): Stretch[] {
  const stretches: Stretch[] = [];
  const posing = findPosing(value);
  let plain = '';
  let at = 0;
  for (const character of value) {
    const isPosing = posing.has(at);
    at += character.length;
    if (!isPosing && (character === ' ' || character === '\n' || !HIDDEN.test(character))) {
      plain += character;
      continue;
    }
    if (plain !== '') stretches.push({ text: plain });
    plain = '';
    const point = character.codePointAt(0)!;
    stretches.push(
      isPosing
        ? { text: `${character}${symbolOf(point)}`, hidden: `looks like another letter (${code(point)})` }
        : { text: symbolOf(point), hidden: describe(point) },
    );
  }
  if (plain !== '') stretches.push({ text: plain });
  return stretches;
}

/** How many characters of a text cannot be seen, tabs aside: those are ordinary in code. */
export function countHidden(value: string): number {
  return revealHidden(value).filter((stretch) => stretch.hidden !== undefined && stretch.text !== '⇥').length;
}

/** The text with symbols in place, for one-line uses such as titles and sentences. */
export function revealedText(value: string): string {
  return revealHidden(value)
    .map((stretch) => stretch.text)
    .join('');
}

function symbolOf(point: number): string {
  if (point === 0x09) return '⇥';
  // Letters rather than control pictures: a symbol the font lacks would be no symbol.
  return `‹${SHORT[point] ?? code(point)}›`;
}

function code(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

function describe(point: number): string {
  const name = NAMES[point] ?? (point >= 0xe0000 && point <= 0xe007f ? 'tag character' : 'invisible character');
  return `${name} (${code(point)})`;
}
