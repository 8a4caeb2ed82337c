/** Text a person decides by is shown as it is; text an answer is made of becomes blocks and nothing more. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { callArguments } from './describe-call.ts';
import { formatBytes, formatCountdown, formatDuration } from './format-amounts.ts';
import { parseInline, parseProse } from './parse-prose.ts';
import { countHidden, revealedText, revealHidden } from '@bravo/policy/previews/reveal-hidden';

describe('characters that cannot be seen', () => {
  it.each([
    ['right-to-left override', 'a\u202eb', 'a‹U+202E›b'],
    ['zero width space', 'a\u200bb', 'a‹U+200B›b'],
    ['escape', '\u001b[2J', '‹ESC›[2J'],
    ['no-break space', 'a\u00a0b', 'a‹NBSP›b'],
    ['carriage return', 'safe\rrm', 'safe‹CR›rm'],
    ['tag character', 'a\u{e0041}', 'a‹U+E0041›'],
    ['variation selector', 'a\ufe0f', 'a‹U+FE0F›'],
    ['hangul filler', '\u3164', '‹U+3164›'],
    ['blank braille', '\u2800', '‹U+2800›'],
    ['line separator', 'a\u2028b', 'a‹U+2028›b'],
    ['lone surrogate', 'a\ud800', 'a‹U+D800›'],
    ['byte order mark', '\ufeffa', '‹U+FEFF›a'],
  ])('%s becomes a symbol', (_name, value, shown) => {
    expect(revealedText(value)).toBe(shown);
    expect(countHidden(value)).toBe(1);
  });

  it('leaves ordinary text of any script alone, newlines too', () => {
    for (const value of ['print(6*7)\n', 'Grüße, мир, 世界, مرحبا', 'a + b ≠ c', ''])
      expect(revealedText(value)).toBe(value);
  });

  it('shows tabs and does not count them', () => {
    expect(revealedText('\tx')).toBe('⇥x');
    expect(countHidden('\tx')).toBe(0);
  });

  it('never drops a visible character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const plain = revealHidden(value)
          .filter((stretch) => stretch.hidden === undefined)
          .map((stretch) => stretch.text)
          .join('');
        const visible = [...value]
          .filter((c) => c === ' ' || c === '\n' || countHidden(c) === 0)
          .filter((c) => c !== '\t')
          .join('');
        expect(plain).toBe(visible);
      }),
    );
  });
});

describe('prose', () => {
  it('reads paragraphs, lists, fences, headings', () => {
    expect(
      parseProse('# Files\n\nTwo:\n- `a.txt`\n- b\n\n1. one\n\n```py\nx = 1\n\ny\n```\nend').map((block) => block.kind),
    ).toEqual(['heading', 'paragraph', 'list', 'list', 'code', 'paragraph']);
  });

  it('takes an unclosed fence for code to the end', () => {
    expect(parseProse('```\nx')).toEqual([{ kind: 'code', language: '', text: 'x' }]);
  });

  it('finds references, code and bold, and keeps links as text', () => {
    expect(parseInline('see ref:12 in `x` **now** [a](http://e.example)')).toEqual([
      { kind: 'text', text: 'see ' },
      { kind: 'ref', slot: 12 },
      { kind: 'text', text: ' in ' },
      { kind: 'code', text: 'x' },
      { kind: 'text', text: ' ' },
      { kind: 'bold', text: 'now' },
      { kind: 'text', text: ' [a](http://e.example)' },
    ]);
  });

  it('loses no word of a line', () => {
    fc.assert(
      fc.property(
        fc.string().filter((line) => !/[`*]/.test(line)),
        (line) => {
          expect(
            parseInline(line)
              .map((part) => (part.kind === 'ref' ? `ref:${part.slot}` : part.text))
              .join('')
              .replace(/ref:0*/g, 'ref:'),
          ).toBe(line.replace(/ref:0*/g, 'ref:'));
        },
      ),
    );
  });
});

describe('amounts', () => {
  it('says durations, countdowns and sizes shortly', () => {
    expect([412, 1812, 41_000, 125_000].map(formatDuration)).toEqual(['412 ms', '1.8 s', '41 s', '2 min 5 s']);
    expect([-5, 61_000, 3_600_000].map(formatCountdown)).toEqual(['0:00', '1:01', '1:00:00']);
    expect([1, 3, 2048, 3 * 1024 * 1024].map(formatBytes)).toEqual(['1 byte', '3 bytes', '2.0 KiB', '3.0 MiB']);
  });
});

describe('arguments of a call', () => {
  it('shows every one, short ones first, and leaves out why', () => {
    expect(callArguments({ code: 'x', language: 'python', files: ['a'], why: 'w' })).toEqual([
      { name: 'language', text: 'python', block: false },
      { name: 'code', text: 'x', block: true },
      { name: 'files', text: '[\n  "a"\n]', block: true },
    ]);
    expect(callArguments('raw')).toEqual([{ name: 'input', text: 'raw', block: true }]);
  });
});
