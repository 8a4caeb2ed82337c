/** Cuts a line into words and signs. Guarantees that quoting is settled here, once, and that what computes text refuses the line; it must never let a quoted character act as a sign. */
import type { RedirectOperator } from '../rules/candidate.ts';
import { type Connector, LineRefused } from './line-plan.ts';

/** One character of a word, or a character class. `plain`: quoted, so it stands for itself whatever it is. */
export type Atom =
  | { readonly kind: 'char'; readonly char: string; readonly plain: boolean }
  /** What stands between `[` and `]`. */
  | { readonly kind: 'class'; readonly body: string };

export type Token =
  | { readonly kind: 'word'; readonly atoms: readonly Atom[] }
  | { readonly kind: 'connector'; readonly connector: Connector }
  | { readonly kind: 'redirect'; readonly op: RedirectOperator }
  | { readonly kind: 'bracket' };

/** Far more than a person reads; it bounds the work. */
const LONGEST_LINE = 65_536;
const BLANKS = ' \t';
const WORD_ENDS = ' \t|&;()<>';
const DIGITS = '0123456789';
const ESCAPABLE_IN_DOUBLE_QUOTES = '$`"\\';

export function scanLine(line: string): readonly Token[] {
  if (line.length > LONGEST_LINE) throw new LineRefused('TooMany', `a line may hold ${LONGEST_LINE} characters`);
  for (const char of '\n\r\0') {
    if (line.includes(char)) throw new LineRefused('Syntax', 'a command line is one line of text');
  }
  return new Scanner(line).tokens();
}

class Scanner {
  readonly #chars: readonly string[];
  #at = 0;
  /** Up to here no bracket opens a class: found out once, so that many brackets cost no more than one. */
  #noClassBefore = 0;

  constructor(line: string) {
    this.#chars = [...line];
  }

  tokens(): readonly Token[] {
    const tokens: Token[] = [];
    for (;;) {
      while (BLANKS.includes(this.#peek() ?? '-')) this.#at += 1;
      if (this.#peek() === undefined) return tokens;
      tokens.push(this.#token());
    }
  }

  #peek(ahead = 0): string | undefined {
    return this.#chars[this.#at + ahead];
  }

  #take(text: string): boolean {
    const taken = [...text].every((char, ahead) => this.#peek(ahead) === char);
    if (taken) this.#at += text.length;
    return taken;
  }

  #token(): Token {
    if (this.#take('||')) return { kind: 'connector', connector: '||' };
    if (this.#take('|')) return { kind: 'connector', connector: '|' };
    if (this.#take('&&')) return { kind: 'connector', connector: '&&' };
    if (this.#take('&>')) return { kind: 'redirect', op: '&>' };
    if (this.#take('&')) throw new LineRefused('Background');
    if (this.#take(';')) return { kind: 'connector', connector: ';' };
    if (this.#take('(') || this.#take(')')) return { kind: 'bracket' };
    if (this.#take('<<')) throw new LineRefused('HereDocument');
    if (this.#take('<(') || this.#take('>(')) throw new LineRefused('ProcessSubstitution');
    if (this.#take('>&') || this.#take('<&')) throw new LineRefused('Descriptor');
    if (this.#take('<')) return { kind: 'redirect', op: '<' };
    if (this.#take('>>')) return { kind: 'redirect', op: '>>' };
    if (this.#take('>')) return { kind: 'redirect', op: '>' };
    return this.#numberedRedirect() ?? { kind: 'word', atoms: this.#word() };
  }

  /** A word of digits that touches `<` or `>` is the number of a stream. */
  #numberedRedirect(): Token | undefined {
    let digits = 0;
    while (DIGITS.includes(this.#peek(digits) ?? '-')) digits += 1;
    const sign = this.#peek(digits);
    if (digits === 0 || (sign !== '<' && sign !== '>')) return undefined;
    if (!this.#take('2>')) throw new LineRefused('IoNumber');
    if (this.#take('>')) return { kind: 'redirect', op: '2>>' };
    if (!this.#take('&')) return { kind: 'redirect', op: '2>' };
    const next = this.#peek(1);
    if (!this.#take('1') || (next !== undefined && !WORD_ENDS.includes(next))) throw new LineRefused('Descriptor');
    return { kind: 'redirect', op: '2>&1' };
  }

  #word(): readonly Atom[] {
    const atoms: Atom[] = [];
    const add = (char: string, plain: boolean): void => {
      atoms.push({ kind: 'char', char, plain });
    };
    for (let char = this.#peek(); char !== undefined && !WORD_ENDS.includes(char); char = this.#peek()) {
      this.#at += 1;
      if (char === "'") this.#singleQuoted(add);
      else if (char === '"') this.#doubleQuoted(add);
      else if (char === '\\') add(this.#next('nothing follows the last backslash'), true);
      else if (char === '[') this.#class(atoms, add);
      else if (char === '!') throw new LineRefused('HistoryExpansion');
      else {
        this.#refuseComputed(char);
        add(char, false);
      }
    }
    return atoms;
  }

  #next(wrong: string): string {
    const char = this.#peek();
    if (char === undefined) throw new LineRefused('Syntax', wrong);
    this.#at += 1;
    return char;
  }

  #singleQuoted(add: (char: string, plain: boolean) => void): void {
    for (let char = this.#next('a quote is not closed'); char !== "'"; char = this.#next('a quote is not closed')) {
      add(char, true);
    }
  }

  /** A backslash escapes only what would mean something in here; before anything else both are kept. */
  #doubleQuoted(add: (char: string, plain: boolean) => void): void {
    for (let char = this.#next('a quote is not closed'); char !== '"'; char = this.#next('a quote is not closed')) {
      if (char === '\\') {
        const escaped = this.#next('a quote is not closed');
        if (!ESCAPABLE_IN_DOUBLE_QUOTES.includes(escaped)) add('\\', true);
        add(escaped, true);
      } else {
        this.#refuseComputed(char);
        add(char, true);
      }
    }
  }

  /** Called with the character just read. */
  #refuseComputed(char: string): void {
    if (char === '`') throw new LineRefused('CommandSubstitution');
    if (char !== '$') return;
    if (this.#peek() !== '(') throw new LineRefused('Variable');
    throw new LineRefused(this.#peek(1) === '(' ? 'Arithmetic' : 'CommandSubstitution');
  }

  /** `[…]` without anything that quotes, computes or ends a word; otherwise the bracket is an ordinary character. */
  #class(atoms: Atom[], add: (char: string, plain: boolean) => void): void {
    let end = 0;
    if (this.#at < this.#noClassBefore) {
      add('[', false);
      return;
    }
    if (this.#peek(end) === '!' || this.#peek(end) === '^') end += 1;
    if (this.#peek(end) === ']') end += 1;
    for (; ; end += 1) {
      const char = this.#peek(end);
      if (char === ']') break;
      if (char === undefined || WORD_ENDS.includes(char) || '\'"\\$`/'.includes(char)) {
        this.#noClassBefore = this.#at + end;
        add('[', false);
        return;
      }
    }
    atoms.push({ kind: 'class', body: this.#chars.slice(this.#at, this.#at + end).join('') });
    this.#at += end + 1;
  }
}
