/** Draws a call for the person who decides about it: places first, then what it carries, a changed file as a diff. Pure; the version of the drawing is part of what a yes is given for (D2). */
import { RENDERING_VERSION } from '../canonical-call.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { ArgumentManifest, ToolManifest } from '../manifest.ts';
import { diffLines, linesOf } from './diff-lines.ts';
import { drawQuestions, type PlacedQuestion } from '../questions/draw-questions.ts';
import type { Preview, PreviewContent, PreviewRow } from './preview.ts';
import { countMarks, showText } from './shown-text.ts';

export interface DrawnCall {
  readonly manifest: Pick<ToolManifest, 'arguments'>;
  readonly arguments: JsonObject;
  /** What routing arguments resolved to, by argument. */
  readonly targets: JsonObject;
  /** Of a call that changes a file: the file as it is and as it would be. */
  readonly change?: {
    readonly place: string;
    /** Absent: there is no such file yet. */
    readonly before?: PreviewContent;
    readonly after: PreviewContent;
  };
  /** Content behind references that the call is about. */
  readonly carried?: readonly { readonly name: string; readonly origin: string; readonly content: PreviewContent }[];
  /** Sentences of ours, such as what a check said. */
  readonly notes?: readonly PreviewRow[];
  /** Of a call that only asks: what is still to be answered. */
  readonly questions?: readonly PlacedQuestion[];
}

/** Rows of content drawn at most; what is past them is counted. */
export const MAX_CONTENT_ROWS = 1_500;

export function renderPreview(call: DrawnCall): Preview {
  const names = Object.keys(call.arguments).filter((name) => name !== 'why');
  const routing = names.filter((name) => argumentOf(call, name)?.class !== 'content');
  const content = names.filter((name) => !routing.includes(name));
  const drawn = call.change === undefined ? undefined : drawChange(call.change);
  const asked = call.questions === undefined ? undefined : drawQuestions(call.questions);
  const rows: PreviewRow[] = [
    ...routing.flatMap((name) => drawRouting(name, call)),
    ...(call.notes ?? []),
    ...(drawn?.rows ?? []),
    ...(call.carried ?? []).flatMap(({ name, origin, content: held }) => [
      heading(`${name}: ${origin}`),
      ...drawContent(held),
    ]),
    ...(asked?.rows ?? []),
    // What a change or a question is made of stands in it.
    ...(drawn === undefined && asked === undefined
      ? content.flatMap((name) => drawValue(name, call.arguments[name]!))
      : []),
  ];
  return {
    version: RENDERING_VERSION,
    rows,
    added: drawn?.added ?? 0,
    removed: drawn?.removed ?? 0,
    symbols: rows.reduce((sum, row) => sum + countMarks(row), 0),
    ...(asked === undefined ? {} : { questions: asked.questions }),
  };
}

function argumentOf(call: DrawnCall, name: string): ArgumentManifest | undefined {
  return Object.hasOwn(call.manifest.arguments, name) ? call.manifest.arguments[name] : undefined;
}

/** A place is drawn as written and, on a line of its own, as what it leads to. */
function drawRouting(name: string, call: DrawnCall): readonly PreviewRow[] {
  const value = call.arguments[name]!;
  const rows = [...drawValue(name, value)];
  const target = Object.hasOwn(call.targets, name) ? call.targets[name] : undefined;
  const reaches = argumentOf(call, name)?.reaches;
  if (reaches === 'url' && typeof target === 'string') rows.push({ kind: 'value', name: 'host', ...showText(target) });
  else if (typeof target === 'string' && target !== value)
    rows.push({ kind: 'value', name: `${name} leads to`, ...showText(target) });
  return rows;
}

function drawValue(name: string, value: JsonValue): readonly PreviewRow[] {
  if (typeof value !== 'string') return [{ kind: 'value', name, ...showText(canonicalJson(value)) }];
  if (!value.includes('\n') && name !== 'code') return [{ kind: 'value', name, ...showText(value) }];
  return [heading(`${name}, ${count(linesOf(value).length, 'line')}`), ...drawContent({ kind: 'text', text: value })];
}

function drawContent(content: PreviewContent): readonly PreviewRow[] {
  if (content.kind === 'bytes') return [{ kind: 'note', text: sayBytes(content) }];
  const lines = linesOf(content.text);
  const rows = lines
    .slice(0, MAX_CONTENT_ROWS)
    .map((text, at): PreviewRow => ({ kind: 'line', after: at + 1, ...showText(text) }));
  return [...rows, ...more(lines.length - rows.length)];
}

function drawChange({ place, before, after }: NonNullable<DrawnCall['change']>) {
  if (after.kind === 'bytes' || before?.kind === 'bytes') {
    const rows: PreviewRow[] = [
      heading(before === undefined ? 'new file' : 'the whole file is replaced'),
      { kind: 'value', name: 'file', ...showText(place) },
      ...(before === undefined ? [] : [heading('before'), ...drawContent(before)]),
      heading('after'),
      ...drawContent(after),
    ];
    return { rows, added: 0, removed: 0 };
  }
  const { hunks, added, removed, lastLineEnds } = diffLines(before?.text ?? '', after.text);
  const rows: PreviewRow[] = [
    heading(
      before === undefined
        ? `new file, ${count(added, 'line')}`
        : `change: ${count(added, 'line')} added, ${removed} removed, in ${count(hunks.length, 'place')}`,
    ),
    { kind: 'value', name: 'file', ...showText(place) },
  ];
  let drawn = 0;
  let left = 0;
  for (const { lines } of hunks) {
    const taken = lines.slice(0, Math.max(0, MAX_CONTENT_ROWS - drawn));
    left += lines.length - taken.length;
    if (taken.length === 0) continue;
    drawn += taken.length;
    if (before !== undefined) rows.push({ kind: 'hunk', text: `at line ${lines[0]?.before ?? lines[0]?.after ?? 1}` });
    for (const { text, ...line } of taken) rows.push({ ...line, ...showText(text) });
  }
  rows.push(...more(left));
  if (lastLineEnds !== undefined)
    rows.push({
      kind: 'note',
      text: `The last line ${lastLineEnds === 'gained' ? 'ends with a line feed now' : 'has no line feed at its end any more'}.`,
    });
  if (hunks.length === 0 && lastLineEnds === undefined)
    rows.push({ kind: 'note', text: before === undefined ? 'The file is empty.' : 'No line changes.' });
  return { rows, added, removed };
}

/** What is not drawn is part of what is decided about: it is said as loudly as that. */
function more(lines: number): readonly PreviewRow[] {
  return lines === 0
    ? []
    : [{ kind: 'more', text: `${lines} more ${lines === 1 ? 'line' : 'lines'}, part of this call and not drawn here` }];
}

const heading = (text: string): PreviewRow => ({ kind: 'heading', ...showText(text) });

const sayBytes = ({ what, bytes, digest }: Extract<PreviewContent, { kind: 'bytes' }>): string =>
  `${what}, ${count(bytes, 'byte')}, SHA-256 ${digest}`;

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
