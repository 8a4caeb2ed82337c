/** The agent's list of what it does, as the newest call of `todo_write` has it; a status the page does not know is work that is left. */
import { HiddenText } from './hidden-text.tsx';

interface Todo {
  content: string;
  status: string;
}

const SIGNS: Record<string, string> = { completed: '✓', in_progress: '…' };
const WORDS: Record<string, string> = { completed: 'completed', in_progress: 'in progress' };

export function TodoList({ input }: { input: unknown }) {
  const todos = ((input as { todos?: unknown } | null)?.todos ?? []) as Todo[];
  if (!Array.isArray(todos) || todos.length === 0) return <p className="text-sm text-muted">Nothing is on the list.</p>;
  return (
    <ul className="space-y-1 text-sm" data-testid="todo-list">
      {todos.map((todo, index) => (
        <li key={index} className="flex gap-2">
          <span
            className="w-4 shrink-0 text-center text-muted"
            role="img"
            aria-label={WORDS[todo.status] ?? 'outstanding'}
          >
            {SIGNS[todo.status] ?? '·'}
          </span>
          <span className={todo.status === 'completed' ? 'text-muted line-through' : ''}>
            <HiddenText text={String(todo.content)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
