/** Reads what a word stands for: text, patterns, braces, a home. Guarantees one pass over the word however its braces nest; it must never expand anything. */
import { LineRefused } from './line-plan.ts';
import type { Atom } from './scan-line.ts';

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** `*`, any run of characters of one name. */
  | { readonly kind: 'any' }
  /** `?`, one character. */
  | { readonly kind: 'one' }
  /** `**`, which as a whole segment stands for any number of directories. */
  | { readonly kind: 'tree' }
  | { readonly kind: 'class'; readonly body: string }
  | { readonly kind: 'alternatives'; readonly options: readonly Word[] }
  /** `width`: digits to pad to, 0 for none. */
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly width: number }
  | { readonly kind: 'home' };

export type Word = readonly Piece[];

/** Braces deeper than this are no list anybody reads. */
const DEEPEST_BRACES = 50;

/** A `{` whose end is not reached yet. */
interface OpenBrace {
  readonly before: Piece[];
  readonly options: Piece[][];
}

export function readWord(atoms: readonly Atom[]): Word {
  const open: OpenBrace[] = [];
  let pieces: Piece[] = [];
  for (let at = 0; at < atoms.length; at += 1) {
    const atom = atoms[at] as Atom;
    const sign = signOf(atom);
    if (atom.kind === 'class') {
      pieces.push({ kind: 'class', body: atom.body });
    } else if (sign === '*') {
      const isTree = signOf(atoms[at + 1]) === '*';
      while (signOf(atoms[at + 1]) === '*') at += 1;
      pieces.push({ kind: isTree ? 'tree' : 'any' });
    } else if (sign === '?') {
      pieces.push({ kind: 'one' });
    } else if (sign === '{') {
      open.push({ before: pieces, options: [] });
      if (open.length > DEEPEST_BRACES) throw new LineRefused('TooMany', 'the braces are nested too deeply');
      pieces = [];
    } else if (sign === ',' && open.length > 0) {
      open[open.length - 1]?.options.push(pieces);
      pieces = [];
    } else if (sign === '}' && open.length > 0) {
      pieces = closeBrace(open.pop() as OpenBrace, pieces);
    } else if (sign === '~' && isAtStart(pieces, open)) {
      const next = atoms[at + 1];
      if (next !== undefined && !isHomeEnd(next, open.length > 0)) throw new LineRefused('NamedHome');
      pieces.push({ kind: 'home' });
    } else {
      addText(pieces, atom.char);
    }
  }
  // A brace that is never closed is an ordinary character, and so are its commas.
  for (let brace = open.pop(); brace !== undefined; brace = open.pop()) {
    pieces = asText(brace, pieces, '');
  }
  return pieces;
}

/** The sign an unquoted character may be. */
function signOf(atom: Atom | undefined): string | undefined {
  return atom?.kind === 'char' && !atom.plain ? atom.char : undefined;
}

function isAtStart(pieces: readonly Piece[], open: readonly OpenBrace[]): boolean {
  return pieces.length === 0 && open.every((brace) => brace.before.length === 0);
}

function isHomeEnd(next: Atom, inBraces: boolean): boolean {
  if (next.kind !== 'char') return false;
  return next.char === '/' || (inBraces && !next.plain && (next.char === ',' || next.char === '}'));
}

function closeBrace(brace: OpenBrace, last: Piece[]): Piece[] {
  const range = brace.options.length > 0 ? undefined : readRange(last);
  const choice: Piece | undefined =
    brace.options.length > 0 ? { kind: 'alternatives', options: [...brace.options, last] } : range;
  // One alternative is no choice: `{}` and `{x}` stand for themselves.
  if (choice === undefined) return asText(brace, last, '}');
  brace.before.push(choice);
  return brace.before;
}

function asText(brace: OpenBrace, last: readonly Piece[], end: string): Piece[] {
  const pieces = brace.before;
  addText(pieces, '{');
  for (const option of brace.options) {
    append(pieces, option);
    addText(pieces, ',');
  }
  append(pieces, last);
  addText(pieces, end);
  return pieces;
}

/** `1..9`, with zeros in front kept. */
function readRange(pieces: readonly Piece[]): Piece | undefined {
  const [only] = pieces;
  if (pieces.length !== 1 || only?.kind !== 'text') return undefined;
  const [from, to, ...more] = only.text.split('..');
  if (!isInteger(from) || !isInteger(to) || more.length > 0) return undefined;
  const width = isPadded(from) || isPadded(to) ? Math.max(from.length, to.length) : 0;
  return { kind: 'range', from: Number(from), to: Number(to), width };
}

function isInteger(text: string | undefined): text is string {
  const digits = text?.startsWith('-') ? text.slice(1) : text;
  return digits !== undefined && digits !== '' && digits.length <= 15 && [...digits].every(isDigit);
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}

function isPadded(number: string): boolean {
  const digits = number.startsWith('-') ? number.slice(1) : number;
  return digits.length > 1 && digits.startsWith('0');
}

function append(to: Piece[], pieces: readonly Piece[]): void {
  for (const piece of pieces) {
    if (piece.kind === 'text') addText(to, piece.text);
    else to.push(piece);
  }
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces[pieces.length - 1];
  if (text === '') return;
  if (last?.kind === 'text') pieces[pieces.length - 1] = { kind: 'text', text: last.text + text };
  else pieces.push({ kind: 'text', text });
}
