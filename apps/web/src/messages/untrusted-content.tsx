/** Shows the bytes behind a reference as plain text in a frame that says what they are; they never become markup, and showing them gives @bravo nothing. */
import { useEffect, useState } from 'react';
import { openSlot } from '../api/bravo.client.ts';
import type { SlotContent } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import { Spinner } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatBytes, formatCount } from './format-amounts.ts';
import { HiddenText } from './hidden-text.tsx';

export function UntrustedContent({ slot }: { slot: number }) {
  const { workspace, id } = useOpenConversation();
  const [content, setContent] = useState<SlotContent | null>(null);
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let current = true;
    openSlot(workspace, id, slot)
      .then((found) => current && setContent(found))
      .catch((error: unknown) => current && setProblem(problemText(toProblem(error))));
    return () => {
      current = false;
    };
  }, [workspace, id, slot]);

  if (problem !== '') return <Notice>{problem}</Notice>;
  return (
    <figure className="untrusted-frame overflow-hidden rounded-lg p-1.5" data-testid={`slot-${slot}`}>
      <figcaption className="flex flex-wrap items-baseline gap-x-2 px-1.5 pt-0.5 pb-1.5 text-xs text-ask">
        <strong className="font-semibold">Untrusted content</strong>
        <span>
          ref:{slot}
          {content && content.slot.bytes !== undefined && ` · ${formatBytes(Number(content.slot.bytes))}`}
          {content && content.slot.lines > 0 && `, ${formatCount(content.slot.lines, 'line', 'lines')}`}. Shown to you
          alone; @bravo has not read it.
        </span>
      </figcaption>
      {content === null ? (
        <p className="flex items-center gap-2 rounded-md bg-surface px-3 py-2 text-sm text-muted">
          <Spinner /> Opening…
        </p>
      ) : (
        <div
          tabIndex={0}
          role="region"
          aria-label={`Untrusted content of reference ${slot}`}
          className="exact scroll-slim max-h-80 overflow-y-auto rounded-md bg-surface px-3 py-2"
        >
          {content.text === '' ? <span className="text-muted">(empty)</span> : <HiddenText text={content.text} />}
        </div>
      )}
    </figure>
  );
}
