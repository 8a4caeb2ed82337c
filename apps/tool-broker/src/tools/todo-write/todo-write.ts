/** Takes the list for what it is: the call itself is the record, and the newest one is the list. A status nobody knows is work that is left. */
import type { Execute } from '../effect.ts';
import { plural } from '../text.ts';

type Status = 'pending' | 'in_progress' | 'completed';

export const statusOf = (word: unknown): Status => (word === 'completed' || word === 'in_progress' ? word : 'pending');

export const todoWrite: Execute = async ({ call }) => {
  const todos = call.arguments['todos'] as readonly { readonly status: string }[];
  const count = (wanted: Status): number => todos.filter(({ status }) => statusOf(status) === wanted).length;
  const summary = [
    `The list has ${plural(todos.length, 'item')}: ${count('completed')} completed, ${count('in_progress')} in progress, ${count('pending')} outstanding.`,
  ];
  return { status: 'completed', summary, outputs: [] };
};
