/** One open conversation: its trail in the main area and the @bravo sheet beside it (over it on narrow screens). */
import { useEffect, useRef, useState } from 'react';
import { endConversation } from '../api/bravo.client.ts';
import type { Person } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { BravoSheet } from '../conversation/bravo-sheet.tsx';
import { ConversationProvider } from '../conversation/conversation-context.tsx';
import { useConversation } from '../conversation/use-conversation.ts';
import { openQuestions, plainText } from '../conversation/conversation-state.ts';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';
import { DelegateTree } from '../delegates/delegate-tree.tsx';
import { Trail } from '../trails/trail.tsx';
import { useFollowEnd } from '../trails/use-follow-end.ts';
import { useQuotes } from '../trails/use-quotes.ts';
import { useTrail } from '../trails/use-trail.ts';
import { VerifiedBadge } from '../trails/verified-badge.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Mark, MenuIcon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { AvailabilityNotices } from './availability-notices.tsx';
import { EndDialog } from './end-dialog.tsx';
import type { Availability } from './use-availability.ts';
import { useMedia } from './use-media.ts';

export interface ConversationViewProps {
  workspace: string;
  id: string;
  person: Person;
  availability: Availability;
  onMenu: (() => void) | null;
  onChanged: () => void;
  onEnded: () => void;
}

export function ConversationView({
  workspace,
  id,
  person,
  availability,
  onMenu,
  onChanged,
  onEnded,
}: ConversationViewProps) {
  const open = useConversation(workspace, id, person, onChanged);
  const trail = useTrail(workspace, id, open.recorded);
  const quotes = useQuotes(open.state.messages);
  const [sheetOpen, setSheetOpen] = useState(true);
  const box = useRef<HTMLDivElement>(null);
  const { onScroll } = useFollowEnd(box, trail.entries.length);
  const [problem, setProblem] = useState('');
  const narrow = useMedia('(max-width: 767px)');
  const sheetButton = useRef<HTMLButtonElement>(null);
  const { conversation, messages } = open.state;
  const waiting = openQuestions(open.state).length;
  const ended = conversation?.status === 'ended';
  const first = messages.find((m) => m.role === 'user');
  const title = revealedText(conversation?.title || (first ? plainText(first).slice(0, 80) : '')) || 'New conversation';

  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Bravo`;
    return () => {
      document.title = 'Bravo';
    };
  }, [title, waiting]);

  const end = async (): Promise<void> => {
    try {
      await endConversation(workspace, id);
      await open.reload();
      onEnded();
    } catch (error) {
      setProblem(problemText(toProblem(error)));
    }
  };

  return (
    <ConversationProvider value={open}>
      <main className="flex min-w-0 flex-1 flex-col" inert={narrow && sheetOpen}>
        <header className="flex h-14 shrink-0 items-center gap-2 border-b border-border px-3 sm:px-5">
          {onMenu && (
            <Button look="ghost" size="icon" aria-label="Conversations" onClick={onMenu} data-testid="menu">
              <MenuIcon className="size-5" />
            </Button>
          )}
          <h1 className="min-w-0 flex-1 truncate font-semibold tracking-tight" title={title}>
            {title}
          </h1>
          {conversation?.unattended === true && (
            <Badge
              tone="ask"
              data-testid="unattended"
              title="It was begun unattended: allow rules of settings decide nothing in it."
            >
              unattended
            </Badge>
          )}
          {ended ? <Badge>ended</Badge> : conversation && <EndDialog onEnd={end} />}
          {!sheetOpen && (
            <Button
              ref={sheetButton}
              look="outline"
              size="small"
              data-testid="sheet-open"
              onClick={() => setSheetOpen(true)}
              className="min-h-9"
            >
              <Mark className="size-5" /> @bravo
              {waiting > 0 && <Badge tone="ask">{waiting}</Badge>}
            </Button>
          )}
        </header>
        <div ref={box} onScroll={onScroll} className="scroll-slim min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto max-w-2xl space-y-5 px-4 py-6 sm:px-6">
            <AvailabilityNotices availability={availability} />
            {problem !== '' && <Notice>{problem}</Notice>}
            {!open.loaded && open.problem !== '' && <Notice>{open.problem}</Notice>}
            {conversation?.delegate && (
              <Notice tone="plain">
                This is the delegate {conversation.delegate.name}. It works for{' '}
                <a
                  className="underline"
                  href={`#/${encodeURIComponent(workspace)}/${encodeURIComponent(conversation.delegate.root_conversation_id)}`}
                >
                  another conversation
                </a>
                .
              </Notice>
            )}
            <DelegateTree />
            <div className="flex flex-wrap items-center justify-between gap-2">
              <div>
                <h2 className="text-lg font-semibold tracking-tight">Trail</h2>
                <p className="text-sm text-muted">What happened in this conversation, as the log holds it.</p>
              </div>
              <VerifiedBadge verification={trail.verification} />
            </div>
            <Trail trail={trail} me={person} quotes={quotes} />
          </div>
        </div>
      </main>
      <aside
        aria-label="@bravo"
        hidden={!sheetOpen}
        data-testid="sheet"
        className={narrow ? 'fixed inset-0 z-20 bg-background' : 'w-[480px] shrink-0 border-l border-border'}
      >
        <BravoSheet
          disabledBecause={availability.off}
          onClose={() => {
            setSheetOpen(false);
            requestAnimationFrame(() => sheetButton.current?.focus());
          }}
        />
      </aside>
    </ConversationProvider>
  );
}
