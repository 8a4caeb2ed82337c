/** Brace groups of a glob. Guarantees no more words than the limit, whatever is written; it must never build a word it will not return. */
import { LIMITS } from '../limits/limits.ts';

const MAX_WORDS = LIMITS['glob-expansions'].value;

export interface Expansion {
  /** The words the pattern stands for, in the order written; the pattern itself where it has no group or stands for too many. */
  readonly words: readonly string[];
  /** It stands for more words than the limit and is therefore plain text throughout. */
  readonly tooMany: boolean;
}

/** A run of text, or a group of at least two alternatives. `count` is how many words it stands for, never past MAX_WORDS + 1. */
type Part = { text: string } | { readonly alternatives: readonly Sequence[] };
interface Sequence {
  readonly parts: Part[];
  count: number;
}

/** Expands `{a,b}` in place, groups inside groups too. A group of one, and a brace without its partner, is plain text. */
export function expandBraces(pattern: string): Expansion {
  const root = parse(pattern);
  return root === 'too many' ? { words: [pattern], tooMany: true } : { words: wordsOf(root), tooMany: false };
}

const emptySequence = (): Sequence => ({ parts: [], count: 1 });
const capped = (count: number): number => Math.min(count, MAX_WORDS + 1);

/** Groups that are open while the pattern is read; a stack of its own, so that a thousand open braces cost no call depth. */
interface OpenGroup {
  readonly before: Sequence;
  readonly done: Sequence[];
}

/** Stops at the first group that is too many by itself: whatever surrounds it only adds words, and what is kept stays small. */
function parse(pattern: string): Sequence | 'too many' {
  const open: OpenGroup[] = [];
  let current = emptySequence();
  for (const piece of piecesOf(pattern)) {
    const group = open.at(-1);
    if (piece === '{') {
      open.push({ before: current, done: [] });
      current = emptySequence();
    } else if (piece === ',' && group !== undefined) {
      group.done.push(current);
      current = emptySequence();
    } else if (piece === '}' && group !== undefined) {
      open.pop();
      current = closeGroup(group, current);
      if (current.count > MAX_WORDS) return 'too many';
    } else {
      addText(current, piece);
    }
  }
  // What is still open was never closed: its brace and its commas were text all along.
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    current = asText(group, current);
    if (current.count > MAX_WORDS) return 'too many';
  }
  return current;
}

/** Splits into `{`, `}`, `,` and the text between. */
function piecesOf(pattern: string): string[] {
  return pattern.split(/([{},])/).filter((piece) => piece !== '');
}

function closeGroup(group: OpenGroup, last: Sequence): Sequence {
  if (group.done.length === 0) {
    const whole = asText(group, last);
    addText(whole, '}');
    return whole;
  }
  const alternatives = [...group.done, last];
  const count = capped(alternatives.reduce((sum, alternative) => capped(sum + alternative.count), 0));
  group.before.parts.push({ alternatives });
  group.before.count = capped(group.before.count * count);
  return group.before;
}

/** `before{done,done,last` with the brace and the commas as text. */
function asText(group: OpenGroup, last: Sequence): Sequence {
  const whole = group.before;
  [...group.done, last].forEach((alternative, at) => {
    addText(whole, at === 0 ? '{' : ',');
    for (const part of alternative.parts) {
      if ('text' in part) addText(whole, part.text);
      else whole.parts.push(part);
    }
    whole.count = capped(whole.count * alternative.count);
  });
  return whole;
}

function addText(sequence: Sequence, text: string): void {
  const last = sequence.parts.at(-1);
  if (last !== undefined && 'text' in last) last.text += text;
  else sequence.parts.push({ text });
}

/** Depth of the recursion is bounded: each level of groups adds a word, and there are at most MAX_WORDS. */
function wordsOf(sequence: Sequence): string[] {
  let words: string[] = [''];
  let text = '';
  for (const part of sequence.parts) {
    if ('text' in part) {
      text += part.text;
      continue;
    }
    const endings = part.alternatives.flatMap(wordsOf);
    const sofar = text;
    words = words.flatMap((word) => endings.map((ending) => word + sofar + ending));
    text = '';
  }
  return text === '' ? words : words.map((word) => word + text);
}
