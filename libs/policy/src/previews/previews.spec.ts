import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RENDERING_VERSION } from '../canonical-call.ts';
import { planEdit } from '../edits/plan-edit.ts';
import { diffLines, linesOf } from './diff-lines.ts';
import type { PreviewRow } from './preview.ts';
import { MAX_CONTENT_ROWS, renderPreview } from './render-preview.ts';
import { showText } from './shown-text.ts';

const write = {
  arguments: {
    path: { class: 'routing', reaches: 'write_path' },
    contents: { class: 'content' },
    why: { class: 'content' },
  },
} as const;
const text = (value: string) => ({ kind: 'text', text: value }) as const;
const drawn = (rows: readonly PreviewRow[]): string[] =>
  rows.map((row) => (row.kind === 'value' ? `${row.name}: ${row.text}` : `${row.kind}| ${row.text}`));
const change = (before: string | undefined, after: string) =>
  renderPreview({
    manifest: write,
    arguments: { path: 'a.txt', contents: after, why: 'x' },
    targets: { path: 'a.txt' },
    change: { place: 'a.txt', after: text(after), ...(before === undefined ? {} : { before: text(before) }) },
  });

describe('the drawing of a call [preview.honest]', () => {
  it('shows a change as what is added and taken away, with its place and counts', () => {
    const before = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`).join('\n') + '\n';
    const preview = change(before, before.replace('line 10\n', 'line ten\nand more\n').replace('line 25\n', ''));
    expect(preview).toMatchObject({ version: RENDERING_VERSION, added: 2, removed: 2, symbols: 0 });
    expect(drawn(preview.rows)).toEqual([
      'path: a.txt',
      'heading| change: 2 lines added, 2 removed, in 2 places',
      'file: a.txt',
      'hunk| at line 7',
      ...['same| line 7', 'same| line 8', 'same| line 9', 'removed| line 10', 'added| line ten', 'added| and more'],
      ...['same| line 11', 'same| line 12', 'same| line 13'],
      'hunk| at line 22',
      ...['same| line 22', 'same| line 23', 'same| line 24', 'removed| line 25', 'same| line 26', 'same| line 27'],
      'same| line 28',
    ]);
    expect(preview.rows.find(({ kind }) => kind === 'removed')).toMatchObject({ before: 10 });
    expect(preview.rows.find(({ kind }) => kind === 'added')).toMatchObject({ after: 10 });
  });

  it('shows a new file whole, and says what it does not draw', () => {
    const lines = Array.from({ length: MAX_CONTENT_ROWS + 7 }, (_, at) => `row ${at}`);
    const preview = change(undefined, lines.join('\n'));
    expect(preview.added).toBe(MAX_CONTENT_ROWS + 7);
    expect(drawn(preview.rows).at(-1)).toBe('more| 7 more lines, part of this call and not drawn here');
    expect(drawn(preview.rows)[1]).toBe(`heading| new file, ${MAX_CONTENT_ROWS + 7} lines`);
  });

  it.each([
    ['an added last line feed', 'a', 'a\n', 'note| The last line ends with a line feed now.'],
    ['a lost last line feed', 'a\n', 'a', 'note| The last line has no line feed at its end any more.'],
    ['no change', 'a\n', 'a\n', 'note| No line changes.'],
    ['an emptied file', 'a\n', '', 'removed| a'],
    ['changed line ends', 'a\r\nb\r\n', 'a\r\nb\n', 'added| b'],
  ])('does not hide %s', (_, before, after, last) => {
    expect(drawn(change(before, after).rows)).toContain(last);
  });

  it.each([
    ['a direction override', 'abc\u202edcba', 'abc‹U+202E›dcba'],
    ['a zero-width space', 'pass\u200bword', 'pass‹U+200B›word'],
    ['a null', 'a\u0000b', 'a‹NUL›b'],
    ['a carriage return', 'a\rb', 'a‹CR›b'],
    ['an escape sequence', '\u001b[2Jx', '‹ESC›[2Jx'],
    ['a Cyrillic a among Latin letters', 'p\u0430ypal.com', 'p\u0430‹U+0430›ypal.com'],
    ['a line feed in a value', 'a\nb', 'a␊b'],
  ])('draws %s as a symbol and marks it', (_, hidden, shown) => {
    const { text: drawnText, marks = [] } = showText(hidden);
    expect(drawnText).toBe(shown);
    expect(marks).toHaveLength(1);
    const [at, length] = marks[0]!;
    expect(drawnText.slice(at, at + length)).toMatch(/^(‹.*›|␊|.‹.*›)$/u);
    const preview = renderPreview({ manifest: write, arguments: { path: `${hidden}x` }, targets: {} });
    expect(preview.symbols).toBe(hidden === 'a\nb' ? 0 : 1);
  });

  it('draws where a place leads and the host of an address on lines of their own', () => {
    const manifest = {
      arguments: {
        path: { class: 'routing', reaches: 'read_path' },
        url: { class: 'routing', reaches: 'url' },
        count: { class: 'routing', reaches: 'nothing' },
      },
    } as const;
    const given = { path: 'link', url: 'https://example.com@evil.test/', count: 3 };
    const { rows } = renderPreview({ manifest, arguments: given, targets: { path: 'real', url: 'evil.test' } });
    expect(drawn(rows)).toEqual([
      'path: link',
      'path leads to: real',
      'url: https://example.com@evil.test/',
      'host: evil.test',
      'count: 3',
    ]);
  });

  it('names what is no text by size and digest, also beside text', () => {
    const bytes = { kind: 'bytes', what: 'no text', bytes: 3, digest: 'ab' } as const;
    const { rows } = renderPreview({
      manifest: write,
      arguments: { path: 'a' },
      targets: {},
      change: { place: 'a', before: text('old\n'), after: bytes },
    });
    expect(drawn(rows)).toEqual([
      ...['path: a', 'heading| the whole file is replaced', 'file: a', 'heading| before', 'line| old'],
      ...['heading| after', 'note| no text, 3 bytes, SHA-256 ab'],
    ]);
  });

  it('leaves no line out: what is drawn makes the text after out of the text before', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((some) => some.join('\n'));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { hunks } = diffLines(before, after);
        const result = [...linesOf(before)];
        for (const { lines: changed } of [...hunks].reverse()) {
          const first = changed.find((line) => line.before !== undefined)?.before;
          const at = first === undefined ? insertionOf(changed) : first - 1;
          const old = changed.filter(({ kind }) => kind !== 'added').map(({ text: line }) => line);
          expect(result.slice(at, at + old.length)).toEqual(old);
          const now = changed.filter(({ kind }) => kind !== 'removed').map(({ text: line }) => line);
          result.splice(at, old.length, ...now);
        }
        expect(result).toEqual([...linesOf(after)]);
      }),
      { numRuns: 500 },
    );
  });

  it('is drawn in time whatever the texts are', () => {
    const noise = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `${(at * seed) % 9973}`).join('\n');
    expect(diffLines(noise(7), noise(11)).added).toBeGreaterThan(0);
  });
});

/** Of a hunk that only adds: everything before it is unchanged. */
const insertionOf = (changed: readonly { after?: number }[]): number => (changed[0]?.after ?? 1) - 1;

describe('an edit [edit.exact]', () => {
  const edit = (before: string, oldText: string, newText: string, replaceAll = false) =>
    planEdit(before, { oldText, newText, replaceAll });

  it('replaces the one passage, and every one where that is asked for', () => {
    expect(edit('one two', 'two', 'three')).toEqual({ kind: 'fits', after: 'one three', replaced: 1 });
    expect(edit('a-a-a', 'a', '$&', true)).toEqual({ kind: 'fits', after: '$&-$&-$&', replaced: 3 });
    expect(edit('aaaa', 'aa', 'b', true)).toEqual({ kind: 'fits', after: 'bb', replaced: 2 });
    expect(edit('x', 'x', '')).toEqual({ kind: 'fits', after: '', replaced: 1 });
  });

  it.each([
    ['a passage that is not there', 'one', 'two', 'missing'],
    ['another spelling', 'One', 'one', 'missing'],
    ['another line end', 'a\r\nb', 'a\nb', 'missing'],
    ['a composed letter for a decomposed one', 'e\u0301', '\u00e9', 'missing'],
    ['a passage that is there twice', 'one one', 'one', 'ambiguous'],
    ['an empty passage', 'one', '', 'empty'],
  ])('refuses %s', (_, before, oldText, reason) => {
    expect(edit(before, oldText, 'new')).toMatchObject({ kind: 'refused', reason });
  });

  it('refuses what would change nothing', () => {
    expect(edit('one', 'one', 'one')).toMatchObject({ kind: 'refused', reason: 'no_change' });
  });
});
