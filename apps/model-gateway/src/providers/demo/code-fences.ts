/**
 * Takes fenced code blocks out of a message before its words are read, and puts them back unchanged.
 *
 * Words inside a fence are never read as a request: a script that says "then list files" stays one script.
 */

export interface Fence {
  /** The word after the opening marks, or empty. */
  readonly info: string;
  readonly code: string;
  /** The block as it was typed, with its marks. */
  readonly raw: string;
}

export interface MaskedText {
  /** The text with every fence replaced by one mark. */
  readonly text: string;
  readonly fences: readonly Fence[];
}

// Private-use characters: they have no meaning in any language a person types.
const OPEN = '\uE000';
const CLOSE = '\uE001';
export const FENCE_MARK = /\uE000(\d+)\uE001/;
const ALL_FENCE_MARKS = /\uE000(\d+)\uE001/g;

/** An unclosed block reaches to the end of the message. Linear in the length of the text. */
export function maskFences(source: string): MaskedText {
  const input = source.replaceAll(OPEN, '\uFFFD').replaceAll(CLOSE, '\uFFFD').replaceAll('\r\n', '\n');
  const fences: Fence[] = [];
  let text = '';
  let position = 0;
  for (;;) {
    const start = input.indexOf('```', position);
    if (start === -1) break;
    let bodyStart = start;
    while (input[bodyStart] === '`') bodyStart += 1;
    const marks = input.slice(start, bodyStart);
    const found = input.indexOf(marks, bodyStart);
    const end = found === -1 ? input.length : found;
    const after = found === -1 ? input.length : found + marks.length;
    fences.push({ ...readBody(input.slice(bodyStart, end)), raw: input.slice(start, after) });
    text += `${input.slice(position, start)}${OPEN}${fences.length - 1}${CLOSE}`;
    position = after;
  }
  return { text: text + input.slice(position), fences };
}

/** Puts every fence back as it was typed. */
export const unmask = (text: string, fences: readonly Fence[]): string =>
  text.replaceAll(ALL_FENCE_MARKS, (_mark, index: string) => fences[Number(index)]?.raw ?? '');

/** The fences a masked text holds, each with the words before it (since the fence before). */
export function fencesIn(text: string, fences: readonly Fence[]): { before: string; fence: Fence }[] {
  const found: { before: string; fence: Fence }[] = [];
  let position = 0;
  for (const mark of text.matchAll(ALL_FENCE_MARKS)) {
    const fence = fences[Number(mark[1])];
    if (fence) found.push({ before: text.slice(position, mark.index), fence });
    position = mark.index + mark[0].length;
  }
  return found;
}

function readBody(body: string): { info: string; code: string } {
  const newline = body.indexOf('\n');
  if (newline === -1) {
    // ```python print(1)``` on one line: the first word is the language only when something follows it.
    const [, info = '', code = body] = /^([A-Za-z0-9+#.]+)\s+(.+)$/.exec(body) ?? [];
    return { info, code: code.trim() };
  }
  return { info: body.slice(0, newline).trim(), code: body.slice(newline + 1).replace(/\n[ \t]*$/, '') };
}
