/** One honest line about what @bravo is doing now, with how long it has been at it. */
import type { ReactNode } from 'react';
import { formatDuration } from '../messages/format-amounts.ts';
import { Spinner } from '../ui/icons.tsx';
import { useOpenConversation } from './conversation-context.tsx';
import { openQuestions } from './conversation-state.ts';
import { useNow } from './use-now.ts';

/** Below this a number would only flicker. @see the words below: a pod that waits warm answers at once, a cold one takes seconds. */
const SHOW_ELAPSED_MS = 2000;

export function StatusLine() {
  const { state, connection, loaded } = useOpenConversation();
  const waiting = openQuestions(state).length;
  const busy = state.phase !== 'idle';
  const now = useNow(busy);
  const elapsed = now - state.phaseSince;

  if (loaded && connection === 'lost') {
    return (
      <Line tone="text-ask">
        <span className="size-2 rounded-full bg-ask" />
        Connection lost. Reconnecting; nothing that happens meanwhile is missed.
      </Line>
    );
  }
  if (waiting > 0) {
    return (
      <Line tone="text-ask">
        <span className="size-2 animate-breathe rounded-full bg-ask" />
        {waiting === 1 ? '@bravo waits for your answer' : `@bravo waits for ${waiting} answers`}
      </Line>
    );
  }
  if (!busy) return null;
  const words = {
    queued: 'Queued: @bravo finishes the turn before first',
    waking: elapsed < SHOW_ELAPSED_MS ? 'Waking @bravo…' : 'Waking @bravo: a fresh agent is starting',
    running: '@bravo is working',
    idle: '',
  }[state.phase];
  return (
    <Line tone="text-muted">
      <Spinner className="size-3.5" />
      {words}
      {elapsed >= SHOW_ELAPSED_MS && (
        <span className="whitespace-nowrap tabular-nums">
          · {formatDuration(Math.floor(elapsed / 1000) * 1000).replace('.0', '')}
        </span>
      )}
    </Line>
  );
}

function Line({ tone, children }: { tone: string; children: ReactNode }) {
  return (
    <p data-testid="status-line" className={`flex min-h-6 items-center gap-2 px-1 text-[0.8125rem] ${tone}`}>
      {children}
    </p>
  );
}
