/** Text with stars in it. Guarantees that a star stands for any text, a missing one for none, and that matching never goes back over a star; it must never read any other character as special. */

/** The literal parts between the stars, in order: one part is a pattern without a star, an empty first or last part is an open end. */
export type TextPattern = readonly string[];

export function readTextPattern(text: string): TextPattern {
  return text.split('*');
}

/** The one spelling of a pattern: two patterns with the same key match the same texts. No text a rule may hold has its joining character. */
export function keyOfTextPattern(pattern: TextPattern): string {
  return pattern.filter((part, at) => part !== '' || at === 0 || at === pattern.length - 1).join('\0');
}

/** Whether the whole of `text` fits. Each part between two stars is laid at the first place it fits, which leaves the most room to the rest. */
export function matchesText(pattern: TextPattern, text: string): boolean {
  const first = pattern[0] ?? '';
  if (pattern.length <= 1) return text === first;
  const last = pattern[pattern.length - 1] ?? '';
  const end = text.length - last.length;
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (let at = 1; at < pattern.length - 1; at += 1) {
    const part = pattern[at] ?? '';
    const found = text.indexOf(part, from);
    if (found < 0 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}
