import { describe, expect, it } from '@jest/globals';
import type { BoundEffect, EffectTools } from '../effect.ts';
import { todoWrite } from './todo-write.ts';

const write = (todos: object[]) =>
  todoWrite(
    { call: { arguments: { todos } } } as unknown as BoundEffect,
    {} as EffectTools,
    new AbortController().signal,
  );

describe('todo_write', () => {
  it('counts the whole list, and takes a status nobody knows for work that is left', async () => {
    const statuses = ['completed', 'in_progress', 'pending', 'done', 'COMPLETED', ''];
    const { summary } = await write(statuses.map((status) => ({ content: 'x', status })));
    expect(summary).toEqual(['The list has 6 items: 1 completed, 1 in progress, 4 outstanding.']);
    expect((await write([])).summary).toEqual(['The list has 0 items: 0 completed, 0 in progress, 0 outstanding.']);
  });
});
