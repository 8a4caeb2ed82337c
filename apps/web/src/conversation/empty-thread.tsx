/** What a conversation without messages says: what @bravo is, and requests that really work. */
import { useAui } from '@assistant-ui/react';

const EXAMPLES = ['Run this python: print(6*7)', 'List the files', 'Write a file notes.txt saying: first line'];

export function EmptyThread({ disabled }: { disabled: boolean }) {
  const aui = useAui();
  return (
    <div className="flex flex-1 flex-col justify-end gap-4 pb-2">
      <div>
        <h3 className="text-lg font-semibold tracking-tight">What should be done?</h3>
        <p className="mt-1 text-sm text-muted">
          @bravo works in a sandbox of this conversation. Before it runs a program or changes something, you see exactly
          what, and decide.
        </p>
      </div>
      <ul className="flex flex-col items-start gap-2">
        {EXAMPLES.map((example) => (
          <li key={example}>
            <button
              type="button"
              disabled={disabled}
              onClick={() => {
                aui.composer().setText(example);
                document.querySelector<HTMLTextAreaElement>('[data-testid="composer"]')?.focus();
              }}
              className="rounded-xl border border-border bg-surface px-3 py-1.5 text-left text-sm transition-colors hover:border-border-strong hover:bg-raised disabled:opacity-50"
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
