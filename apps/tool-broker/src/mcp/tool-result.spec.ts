import { expect, it } from '@jest/globals';
import { knowsStructuredContent, toResult } from './tool-result.mcp.ts';

it.each([
  [undefined, false],
  ['2024-11-05', false],
  ['2025-03-26', false],
  ['2025-06-18', true],
  ['2026-07-28', true],
  ['draft', false],
])('a client of %s knows structured content: %s', (version, expected) => {
  expect(knowsStructuredContent(version)).toBe(expected);
});

it('a result is told once as text, and its facts beside it where they are understood', () => {
  const ended = { kind: 'result', text: 'Exit code 0.', isError: false, references: [2, 3] } as const;
  expect(toResult(ended, false)).toEqual({ content: [{ type: 'text', text: 'Exit code 0.' }] });
  expect(toResult(ended, true).structuredContent).toEqual({ state: 'ended', references: ['ref:2', 'ref:3'] });
  const waiting = { kind: 'waiting', text: 'waiting', approvalId: 'apr_1', toolCallId: 'tc_1' } as const;
  expect(toResult(waiting, true).structuredContent).toEqual({
    state: 'waiting',
    approval_id: 'apr_1',
    references: [],
  });
  expect(toResult({ ...ended, isError: true }, true)).toEqual({
    content: [{ type: 'text', text: 'Exit code 0.' }],
    isError: true,
  });
});
