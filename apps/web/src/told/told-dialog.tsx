/** What Bravo was told, for whoever wants to see it: read when it is opened, shown as it is, changed by nothing here but "Compact". */
import { useRef, useState } from 'react';
import { compactConversation, readInstructions } from '../api/bravo.client.ts';
import type { ToldInstructions } from '../api/told-contract.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { formatCount } from '../messages/format-amounts.ts';
import { Button } from '../ui/button.tsx';
import { CrossIcon, InfoIcon, Spinner } from '../ui/icons.tsx';
import { fillOf, partState, sourceName } from './describe-told.ts';

export function ToldDialog({ workspace, conversation }: { workspace: string; conversation: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [told, setTold] = useState<ToldInstructions | null>(null);
  const [problem, setProblem] = useState('');
  const open = (): void => {
    setProblem('');
    dialog.current?.showModal();
    readInstructions(workspace, conversation).then(setTold, (error: unknown) =>
      setProblem(problemText(toProblem(error))),
    );
  };
  const compact = (): void => {
    compactConversation(workspace, conversation).then(
      () => dialog.current?.close(),
      (error: unknown) => setProblem(problemText(toProblem(error))),
    );
  };
  return (
    <>
      <Button
        look="ghost"
        size="icon"
        aria-label="What @bravo was told"
        title="What @bravo was told"
        data-testid="told-open"
        onClick={open}
      >
        <InfoIcon />
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby="told-title"
        data-testid="told"
        className="m-auto max-h-[85vh] w-[min(40rem,calc(100vw-2rem))] rounded-2xl border border-border bg-surface p-5 text-foreground"
      >
        <div className="flex items-start gap-2">
          <h2 id="told-title" className="flex-1 text-lg font-semibold tracking-tight">
            What @bravo was told
          </h2>
          <Button look="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <CrossIcon />
          </Button>
        </div>
        {problem !== '' && (
          <p role="alert" className="mt-2 text-sm text-bad">
            {problem}
          </p>
        )}
        {told === null && problem === '' && <Spinner />}
        {told && <Told told={told} onCompact={compact} />}
      </dialog>
    </>
  );
}

function Told({ told, onCompact }: { told: ToldInstructions; onCompact: () => void }) {
  const { percent, sentence } = fillOf(told.context);
  return (
    <div className="mt-3 space-y-4 text-sm">
      <section aria-label="Context" className="space-y-1.5">
        <div
          role="meter"
          aria-label="How full the context is"
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-1.5 overflow-hidden rounded-full bg-accent-soft"
        >
          <div className="h-full bg-accent" style={{ width: `${percent}%` }} />
        </div>
        <div className="flex items-start justify-between gap-3">
          <p className="text-muted" data-testid="told-fill">
            {sentence}
          </p>
          <Button size="small" data-testid="compact" onClick={onCompact}>
            Compact
          </Button>
        </div>
        {told.summary && (
          <details>
            <summary className="cursor-pointer">
              {formatCount(told.summary.messages, 'older message', 'older messages')} as a summary for a fresh agent
            </summary>
            <p className="mt-1 whitespace-pre-wrap text-muted">{told.summary.text}</p>
          </details>
        )}
      </section>
      {told.version === 0 ? (
        <p className="text-muted">Nothing yet: it is told with the first message.</p>
      ) : (
        <>
          <ul className="divide-y divide-border rounded-xl border border-border">
            {told.parts.map((part) => (
              <li
                key={part.source}
                data-testid="told-part"
                className="flex flex-wrap justify-between gap-x-3 px-3 py-1.5"
              >
                <span>{sourceName(part.source)}</span>
                <span className={part.told ? 'text-muted' : 'text-bad'}>{partState(part)}</span>
              </li>
            ))}
          </ul>
          <p className="text-xs text-muted">
            Version {told.version}, digest {told.digest.slice(0, 12)}… as on the trail. It stands at the head of every
            request; the tools stand beside it in their own words.
          </p>
          <pre
            tabIndex={0}
            aria-label="The text"
            data-testid="told-text"
            className="scroll-slim max-h-72 overflow-y-auto rounded-xl bg-background p-3 font-mono text-xs whitespace-pre-wrap"
          >
            {told.text}
          </pre>
        </>
      )}
    </div>
  );
}
