import { describe, expect, it } from '@jest/globals';
import { drawSvg, tickMs } from './draw-svg.ts';
import { drawTrace, findTrace, readSpans } from './draw-trace.ts';

const span = (
  name: string,
  id: string,
  parent: string | undefined,
  startMs: number,
  duration_ms: number,
  more: object = {},
) =>
  JSON.stringify({
    ...{
      app: 'gateway',
      name,
      trace_id: 't1',
      span_id: id,
      kind: 'server',
      start: new Date(startMs).toISOString(),
      duration_ms,
      attributes: {},
    },
    ...(parent ? { parent_span_id: parent } : {}),
    ...more,
  });

const spans = readSpans(
  [
    span('decide', 'c', 'b', 500, 100, { app: 'tool-broker', error: 'conflict' }),
    span('post-message', 'a', undefined, 0, 1_000),
    span('drive-turn', 'b', 'a', 250, 750, { app: 'agent-orchestrator', attributes: { 'bravo.turn': 'trn_1' } }),
    span('list-entries', 'x', undefined, 9_000, 1, { trace_id: 't2' }),
    '{"cut off',
    '',
  ].join('\n'),
);

describe('a trace as a picture', () => {
  it('is a tree beside its time', () => {
    expect(drawTrace(spans, 't1')).toEqual([
      'trace t1, 3 spans, 1.00 s',
      `${'█'.repeat(40)}    1.00 s  post-message · gateway`,
      `${' '.repeat(10)}${'█'.repeat(30)}  750.0 ms    drive-turn · agent-orchestrator`,
      `${' '.repeat(20)}${'█'.repeat(4)}${' '.repeat(16)}  100.0 ms      decide · tool-broker  ✗ conflict`,
    ]);
  });

  it.each([
    [undefined, 't1'],
    ['t2', 't2'],
    ['trn_1', 't1'],
    ['trn_2', undefined],
  ])('of %s is %s', (wanted, found) => expect(findTrace(spans, wanted)).toBe(found));
});

describe('a trace as SVG', () => {
  const svg = drawSvg(spans, 't1');

  it('has each step with its process and time, the failed one told, in the order of the tree', () => {
    expect([...svg.matchAll(/class="name">([^<]+)/g)].map((match) => match[1])).toEqual([
      'post-message',
      'drive-turn',
      'decide',
    ]);
    expect(svg).toContain('post-message: 3 steps in 3 processes, 1.00 s');
    for (const words of ['750.0 ms', 'agent-orchestrator', '✗ conflict']) expect(svg).toContain(words);
    expect(svg).not.toContain('list-entries');
  });

  it('places bars by time: one that begins at half the time begins in the middle', () => {
    const bars = [...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="12"/g)].map(
      ([, x, width]) => [Number(x), Number(width)] as const,
    );
    const [[from, whole], [, most], [middle, tenth]] = bars as [
      readonly [number, number],
      readonly [number, number],
      readonly [number, number],
    ];
    expect(most / whole).toBeCloseTo(0.75, 2);
    expect((middle - from) / whole).toBeCloseTo(0.5, 2);
    expect(tenth / whole).toBeCloseTo(0.1, 2);
  });

  it('is a document of its own whatever a span is called, and fetches nothing', () => {
    const odd = drawSvg(readSpans(span('<script>"&', 'a', undefined, 0, 1)), 't1');
    expect(odd).not.toMatch(/<script|href|url\((?!#)/);
    expect(odd).toContain('&#60;script&#62;');
  });

  it.each([
    [1, 0.2],
    [900, 200],
    [1_710, 500],
    [60_000, 10_000],
  ])('of %i ms has a line every %d ms', (total, step) => expect(tickMs(total)).toBeCloseTo(step, 6));
});
