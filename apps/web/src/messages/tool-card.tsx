/** One tool call as a card: running, asking, or done; a finished card says what came back and to whom it was shown. */
import { type ReactNode, useId, useState } from 'react';
import type { Person, SlotRef } from '../api/contract.ts';
import { useOpenConversation } from '../conversation/conversation-context.tsx';
import type { UiToolCall } from '../conversation/conversation-state.ts';
import { OpenQuestion } from '../questions/open-question.tsx';
import { TrustOfferButton } from '../questions/trust-offer.tsx';
import type { Tone } from '../ui/badge.tsx';
import { Badge } from '../ui/badge.tsx';
import { AlertIcon, CheckIcon, ChevronIcon, CrossIcon, Spinner } from '../ui/icons.tsx';
import { CallArguments } from './call-arguments.tsx';
import { callSubject, callTitle, STATUS_WORDS } from './describe-call.ts';
import { formatDuration } from './format-amounts.ts';
import { HiddenText } from './hidden-text.tsx';
import { PlanList } from './plan-list.tsx';
import { RefChip } from './ref-chip.tsx';
import { TodoList } from './todo-list.tsx';
import { revealedText } from '@bravo/policy/previews/reveal-hidden';

export function ToolCard({ callId }: { callId: string }) {
  const { state } = useOpenConversation();
  const call = state.calls[callId];
  if (!call) return null;
  if (call.status === 'needs_approval' && call.question) return <OpenQuestion call={call} question={call.question} />;
  return <CallSummary call={call} />;
}

const TONES: Record<UiToolCall['status'], Tone> = {
  running: 'plain',
  needs_approval: 'ask',
  approved: 'plain',
  completed: 'good',
  failed: 'bad',
  denied: 'plain',
  refused: 'bad',
  expired: 'plain',
  outcome_unknown: 'bad',
};

function StatusIcon({ status }: { status: UiToolCall['status'] }) {
  if (status === 'running' || status === 'approved') return <Spinner className="size-4 text-accent" />;
  if (status === 'completed') return <CheckIcon className="size-4 text-good" />;
  if (status === 'denied' || status === 'expired') return <CrossIcon className="size-4 text-muted" />;
  return <AlertIcon className={`size-4 ${status === 'needs_approval' ? 'text-ask' : 'text-bad'}`} />;
}

function CallSummary({ call }: { call: UiToolCall }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const subject = revealedText(callSubject(call));
  const busy = call.status === 'running' || call.status === 'approved';
  return (
    <section
      data-testid="tool-card"
      data-status={call.status}
      aria-label={`Tool call: ${callTitle(call.tool)}`}
      className="rounded-xl border border-border bg-surface shadow-card"
    >
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2.5 rounded-xl px-3 py-2.5 text-left hover:bg-raised"
      >
        <StatusIcon status={call.status} />
        <span className="min-w-0 flex-1 truncate text-sm">
          <span className="font-medium">{callTitle(call.tool)}</span>
          {subject !== '' && <span className="text-muted"> · {subject}</span>}
        </span>
        {!busy && call.durationMs !== undefined && call.durationMs > 0 && (
          <span className="text-xs text-muted tabular-nums">{formatDuration(call.durationMs)}</span>
        )}
        <Badge tone={TONES[call.status]}>{STATUS_WORDS[call.status]}</Badge>
        <ChevronIcon className={`size-4 text-muted transition-transform ${open ? 'rotate-90' : ''}`} />
      </button>
      {call.refs.length > 0 && (
        <div className="space-y-2 border-t border-border px-3 py-2.5">
          {call.refs.map((slot) => (
            <RefChip
              key={slot.number}
              slot={slot}
              startOpen={call.tool === 'execute_script' && call.refs.length === 1}
            />
          ))}
          {call.tool === 'read_file' && call.status === 'completed' && <TrustOffers refs={call.refs} />}
        </div>
      )}
      {call.tool === 'todo_write' && call.status === 'completed' && (
        <div className="border-t border-border px-3 py-2.5">
          <TodoList input={call.input} />
        </div>
      )}
      <div id={id} hidden={!open} className="space-y-3 border-t border-border px-3 py-3">
        {open && <CallDetails call={call} />}
      </div>
    </section>
  );
}

/** A picture or bytes are kept from @bravo whatever anybody vouches for. */
function TrustOffers({ refs }: { refs: readonly SlotRef[] }) {
  const ended = useOpenConversation().state.conversation?.status === 'ended';
  if (ended) return null;
  return refs
    .filter(({ kind }) => kind === 'text')
    .map(({ number }) => <TrustOfferButton key={number} slot={number} />);
}

/** The server names people by id or by name. */
function decider(by: string, person: Person): string {
  const name = by.replace(/^user:/, '');
  return name === person.id || name === person.name ? 'you' : name;
}

function CallDetails({ call }: { call: UiToolCall }) {
  const { person } = useOpenConversation();
  return (
    <>
      {call.why !== '' && (
        <Section title="Why, in @bravo’s words">
          <p className="text-sm">
            <HiddenText text={call.why} />
          </p>
        </Section>
      )}
      <Section title={`Input of ${call.tool}`}>
        <CallArguments input={call.input} />
      </Section>
      {call.plan && (
        <Section title="What ran, step by step">
          <PlanList plan={call.plan} {...(call.steps ? { ends: call.steps } : {})} />
        </Section>
      )}
      {call.reasons.length > 0 && (
        <Section title="Why it was decided so">
          <ul className="list-disc space-y-0.5 pl-4 text-sm marker:text-muted">
            {call.reasons.map((reason, index) => (
              <li key={index}>{reason.text || reason.code}</li>
            ))}
          </ul>
        </Section>
      )}
      {call.decidedBy && <p className="text-sm text-muted">Answered by {decider(call.decidedBy, person)}.</p>}
      {call.output !== '' && (
        <Section
          title="What @bravo was given"
          {...(call.label ? { note: `${call.label.integrity}, ${call.label.confidentiality}` } : {})}
        >
          <div
            tabIndex={0}
            role="region"
            aria-label="Output"
            data-testid="tool-output"
            className="exact scroll-slim max-h-80 overflow-y-auto rounded-lg bg-sunken px-3 py-2.5"
          >
            <HiddenText text={call.output} />
          </div>
        </Section>
      )}
    </>
  );
}

function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <h4 className="mb-1 flex items-baseline justify-between text-xs font-medium text-muted">
        {title}
        {note && <span className="font-normal">{note}</span>}
      </h4>
      {children}
    </div>
  );
}
