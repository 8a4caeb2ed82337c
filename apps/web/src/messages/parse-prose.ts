/** Reads the small part of Markdown an answer uses (paragraphs, lists, fences, code, bold, ref:N) into plain data; it must never produce a link, an image or markup. */

export type Inline = { kind: 'text' | 'code' | 'bold'; text: string } | { kind: 'ref'; slot: number };

export type Block =
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'heading'; inlines: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'code'; language: string; text: string };

const FENCE = /^\s*```\s*([\w+-]*)\s*$/;
const BULLET = /^\s*[-*•]\s+(.*)$/;
const NUMBERED = /^\s*\d{1,3}[.)]\s+(.*)$/;
const HEADING = /^#{1,4}\s+(.*)$/;

/** Text that is still streaming is fine: an unclosed fence is a code block up to its end. */
export function parseProse(value: string): Block[] {
  const blocks: Block[] = [];
  const lines = value.split('\n');
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]!;
    const fence = FENCE.exec(line);
    if (fence) {
      const code: string[] = [];
      for (i += 1; i < lines.length && !/^\s*```\s*$/.test(lines[i]!); i += 1) code.push(lines[i]!);
      blocks.push({ kind: 'code', language: fence[1] ?? '', text: code.join('\n') });
      continue;
    }
    if (line.trim() === '') {
      blocks.push({ kind: 'paragraph', lines: [] }); // closes whatever went on; empty ones are dropped below
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) {
      blocks.push({ kind: 'heading', inlines: parseInline(heading[1]!) });
      continue;
    }
    const numbered = NUMBERED.exec(line);
    const item = BULLET.exec(line) ?? numbered;
    const last = blocks.at(-1);
    if (item) {
      const ordered = numbered !== null;
      if (last?.kind === 'list' && last.ordered === ordered) last.items.push(parseInline(item[1]!));
      else blocks.push({ kind: 'list', ordered, items: [parseInline(item[1]!)] });
    } else if (last?.kind === 'paragraph') {
      last.lines.push(parseInline(line));
    } else {
      blocks.push({ kind: 'paragraph', lines: [parseInline(line)] });
    }
  }
  return blocks.filter((block) => block.kind !== 'paragraph' || block.lines.length > 0);
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\bref:(\d{1,6})\b/g;

export function parseInline(line: string): Inline[] {
  const inlines: Inline[] = [];
  let end = 0;
  for (const match of line.matchAll(INLINE)) {
    if (match.index > end) inlines.push({ kind: 'text', text: line.slice(end, match.index) });
    const [whole, code, bold, slot] = match;
    if (code !== undefined) {
      const named = /^ref:(\d{1,6})$/.exec(code);
      inlines.push(named ? { kind: 'ref', slot: Number(named[1]) } : { kind: 'code', text: code });
    } else if (bold !== undefined) inlines.push({ kind: 'bold', text: bold });
    else inlines.push({ kind: 'ref', slot: Number(slot) });
    end = match.index + whole.length;
  }
  if (end < line.length) inlines.push({ kind: 'text', text: line.slice(end) });
  return inlines;
}
