/** Names syntax of other glob dialects that this one reads as plain text. Guarantees one look at each character; it must never change what a glob matches. */

export type UnsupportedGlobSyntax = 'class' | 'negation' | 'extended-group' | 'range';

/** What a pattern leans on that the matcher does not have, each kind once, so that an empty answer can say why it is empty. */
export function nameUnsupported(pattern: string): readonly UnsupportedGlobSyntax[] {
  const found = new Set<UnsupportedGlobSyntax>();
  if (pattern.startsWith('!')) found.add('negation');
  let bracket = -1;
  let brace = -1;
  let group = false;
  for (let at = 0; at < pattern.length; at += 1) {
    switch (pattern[at]) {
      case '/':
        bracket = -1;
        break;
      case '[':
        if (bracket < 0) bracket = at;
        break;
      case ']':
        // `[]` holds nothing yet: in the dialects that have classes the bracket is then the first member.
        if (bracket >= 0 && at > bracket + 1) found.add('class');
        break;
      case '(':
        if (at > 0 && '@?*+!'.includes(pattern[at - 1] ?? '')) group = true;
        break;
      case ')':
        if (group) found.add('extended-group');
        break;
      case '{':
        brace = at;
        break;
      case '}':
        if (brace >= 0 && isRange(pattern.slice(brace + 1, at))) found.add('range');
        brace = -1;
        break;
    }
  }
  return [...found];
}

/** `1..3`, `01..10..2`, `a..e`. */
function isRange(inside: string): boolean {
  return inside.length <= 64 && /^(?:[+-]?\d+\.\.[+-]?\d+|[A-Za-z]\.\.[A-Za-z])(?:\.\.[+-]?\d+)?$/.test(inside);
}
