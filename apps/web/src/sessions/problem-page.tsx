/** What a person sees when the server cannot say who they are. */
import type { Problem } from '../api/problem.ts';
import { problemText } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { Mark } from '../ui/icons.tsx';

export function ProblemPage({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  return (
    <main className="mx-auto flex h-full max-w-sm flex-col items-start justify-center gap-4 p-6">
      <Mark className="size-11" />
      <h1 className="text-xl font-semibold tracking-tight">Bravo is not answering</h1>
      <p role="alert" className="text-muted">
        {problemText(problem)}
      </p>
      <Button look="primary" onClick={onRetry}>
        Try again
      </Button>
    </main>
  );
}
