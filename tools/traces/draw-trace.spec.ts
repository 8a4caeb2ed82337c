import { describe, expect, it } from '@jest/globals';
import { drawTrace, findTrace, readSpans } from './draw-trace.ts';

const span = (name: string, id: string, parent: string | undefined, startMs: number, duration_ms: number, more: object = {}) =>
  JSON.stringify({
    ...{ app: 'gateway', name, trace_id: 't1', span_id: id, kind: 'server', start: new Date(startMs).toISOString(), duration_ms, attributes: {} },
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
