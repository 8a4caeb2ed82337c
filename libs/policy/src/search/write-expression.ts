/** Spells the parts of a checked pattern for the engine. Guarantees that a literal is never read as syntax by it; classes are those of the dialect and not of the engine. */

/**
 * Classes of ASCII, as they stand between brackets. `\W` is the engine's own name: spelled as a range it would be folded, and
 * the Kelvin sign in it would bring in the letter k. `\s` has the vertical tab that the engine's own leaves out.
 */
const CLASS_MEMBERS: Readonly<Record<string, string>> = {
  d: '0-9',
  D: '\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}',
  w: '\\w',
  W: '\\W',
  s: '\\x{9}-\\x{d}\\x{20}',
  S: '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{10ffff}',
};

export function spellCharacter(character: string): string {
  return /^[A-Za-z0-9]$/.test(character) ? character : `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

export function spellClassMembers(letter: string): string {
  return CLASS_MEMBERS[letter] ?? '';
}
