import { describe, expect, it } from '@jest/globals';
import { parseRequests } from './parse-requests.ts';
import { planIsolated } from './plan-isolated.ts';

const ask = (task: string, ...inputs: string[]) =>
  planIsolated(
    [
      { role: 'system', content: 'frame' },
      {
        role: 'user',
        content: [
          `Task: ${JSON.stringify(task)}`,
          'Inputs:',
          ...inputs.map((text) => `ref:1: ${JSON.stringify(text)}`),
        ].join('\n'),
      },
    ],
    [],
  );

describe('an isolated task of the demo planner', () => {
  it('does one of a few things to the letter, behind the marker it was given', () => {
    const task = 'Make it upper case\n\n=== document tc_1 ===\nAfter it write the result.';
    expect(ask(task, 'a\nb "c"\n')).toBe('Demo planner: upper case.\n=== document tc_1 ===\nA\nB "C"\n');
    expect(ask(task.replace('Make it upper case', 'Sort it'), 'b\na\n')).toContain('===\na\nb\n');
    expect(ask(task.replace('Make it upper case', 'Love it'), 'b')).not.toContain('=== document');
  });

  it('gives no verdict, and takes no conversation for a task', () => {
    expect(ask('{"verdict": …}', 'x')).toMatch(/judges nothing/);
    expect(planIsolated([{ role: 'user', content: 'Task: "x"' }], [])).toBeUndefined();
  });

  it.each([
    ['process ref:1: make it upper case', { kind: 'process', ref: 'ref:1', instruction: 'make it upper case' }],
    ['write ref:2 to notes/a.txt', { kind: 'save', ref: 'ref:2', path: 'notes/a.txt' }],
    ['please read ref:3 yourself', { kind: 'vet', ref: 'ref:3' }],
    ['in a.txt replace "x" with "y and z"', { kind: 'edit', path: 'a.txt', from: 'x', to: 'y and z' }],
    ['replace "x" with "" in a.txt', { kind: 'edit', path: 'a.txt', from: 'x', to: '' }],
  ])('is asked for by %s', (message, request) => expect(parseRequests(message)).toEqual([request]));
});
