/** A question only the person can answer: the exact call in full, why it is asked, how long it stands; no yes is possible before the content was on screen to its end. */
import { useRef, useState } from 'react';
import type { UiQuestion, UiToolCall } from '../conversation/conversation-state.ts';
import type { Answer } from '../conversation/use-conversation.ts';
import { useNow } from '../conversation/use-now.ts';
import { ScopeList } from '../grants/scope-list.tsx';
import { CallArguments } from '../messages/call-arguments.tsx';
import { callTitle } from '../messages/describe-call.ts';
import { formatCountdown } from '../messages/format-amounts.ts';
import { PlanList } from '../messages/plan-list.tsx';
import { HiddenText } from '../messages/hidden-text.tsx';
import { countHidden } from '@bravo/policy/previews/reveal-hidden';
import { AnswerButtons } from './answer-buttons.tsx';
import { PreviewRows } from './preview-rows.tsx';
import { useAnswering } from './use-answering.ts';
import { useFocusQuestion } from './use-focus-question.ts';
import { usePreview } from './use-preview.ts';
import { useSeenInFull } from './use-seen-in-full.ts';

export function QuestionCard({ call, question }: { call: UiToolCall; question: UiQuestion }) {
  const { answer } = useAnswering();
  const card = useRef<HTMLElement>(null);
  const preview = usePreview(call.id);
  const content = JSON.stringify([preview === 'none' ? call.input : preview, call.plan]);
  const { missing, start, end } = useSeenInFull(content);
  const [sent, setSent] = useState<Answer | null>(null);
  const seen = missing === 'nothing' && preview !== 'loading';
  const now = useNow(true);
  useFocusQuestion(card);

  const left = question.expiresAt - now;
  const expired = question.expiresAt > 0 && left <= 0;
  const closed = expired || sent !== null;
  const hidden = typeof preview === 'object' ? preview.symbols : hiddenIn(call.input);
  const titleId = `question-title-${call.id}`;
  const hintId = `question-hint-${call.id}`;

  const give = async (chosen: Answer): Promise<void> => {
    setSent(chosen);
    await answer(call.id, chosen);
    setSent(null);
  };

  return (
    <section
      ref={card}
      id={`question-${call.id}`}
      data-testid="tool-card"
      data-status="needs_approval"
      data-question=""
      tabIndex={-1}
      aria-labelledby={titleId}
      className="scroll-mb-4 overflow-hidden rounded-xl border border-ask-border bg-surface shadow-card"
    >
      <header className="flex items-baseline justify-between gap-3 border-b border-ask-border bg-ask-soft px-3.5 py-2.5">
        <h3 id={titleId} className="font-semibold">
          {callTitle(call.tool)}?
        </h3>
        <span className="text-[0.8125rem] text-ask tabular-nums" data-testid="expiry">
          {question.expiresAt === 0 ? '' : expired ? 'expired' : `expires in ${formatCountdown(left)}`}
        </span>
      </header>
      <div className="space-y-3 px-3.5 py-3">
        {question.asker && (
          <p className="text-sm" data-testid="asker">
            <span className="text-muted">
              The delegate {question.asker.name} ({question.asker.kind}) asks. Its task:{' '}
            </span>
            <HiddenText text={question.asker.task} />
          </p>
        )}
        {call.why !== '' && (
          <p className="text-sm">
            <span className="text-muted">@bravo says: </span>
            <HiddenText text={call.why} />
          </p>
        )}
        <div
          tabIndex={0}
          role="region"
          aria-label="What you decide about"
          data-testid="deciding-content"
          className="scroll-slim max-h-[min(24rem,34svh)] overflow-y-auto rounded-lg"
        >
          <div ref={start} className="h-px" />
          {call.plan && (
            <div className="mb-2">
              <h4 className="mb-1 text-xs font-medium text-muted">What would run</h4>
              <PlanList plan={call.plan} />
              <h4 className="mt-3 text-xs font-medium text-muted">As @bravo wrote it</h4>
            </div>
          )}
          {preview === 'loading' ? (
            <p className="text-sm text-muted">Drawing what you decide about…</p>
          ) : preview === 'none' ? (
            <CallArguments input={call.input} />
          ) : (
            <PreviewRows preview={preview} />
          )}
          <div ref={end} className="h-px" />
        </div>
        {hidden > 0 && (
          <p className="text-sm font-medium text-bad">
            {hidden === 1
              ? 'One character here cannot be seen or is not what it looks like'
              : `${hidden} characters here cannot be seen or are not what they look like`}
            ; each is marked with a symbol.
          </p>
        )}
        {question.asks.length > 0 && (
          <div>
            <h4 className="text-xs font-medium text-muted">Why you are asked</h4>
            <ul className="mt-0.5 list-disc space-y-0.5 pl-4 text-sm marker:text-muted">
              {question.asks.map((ask, index) => (
                <li key={index}>
                  <HiddenText text={ask.text || ask.code} />
                </li>
              ))}
            </ul>
          </div>
        )}
        {question.grantScope && (
          <details className="text-sm" data-testid="grant-scope">
            <summary className="cursor-pointer text-muted">What “again” would cover</summary>
            <div className="mt-1.5">
              <ScopeList tool={call.tool} scope={question.grantScope} />
            </div>
          </details>
        )}
        {question.rememberRule !== '' && (
          <details className="text-sm" data-testid="remember-rule">
            <summary className="cursor-pointer text-muted">What “always” would write</summary>
            <p className="mt-1.5">
              The rule <code className="exact">{question.rememberRule}</code> into your own settings of this workspace:
              it holds in conversations begun from then on, until you take it out there. In this one the line is let
              through for 8 hours.
            </p>
          </details>
        )}
        <AnswerButtons
          trustOutputOffered={question.trustOutputOffered}
          grantOffered={question.grantScope !== null}
          rememberOffered={question.rememberRule !== ''}
          mayApprove={seen}
          closed={closed}
          sent={sent}
          hintId={hintId}
          onGive={(chosen) => void give(chosen)}
        />
        <p id={hintId} className="text-xs text-muted">
          {expired
            ? 'The question has expired, which refuses the call.'
            : !seen
              ? `To approve it, scroll to the ${missing === 'start' ? 'beginning' : 'end'} of what you decide about.`
              : question.trustOutputOffered
                ? 'After a plain Approve only you see the output; @bravo gets a reference to it.'
                : 'Your answer counts once, for exactly this call.'}
        </p>
      </div>
    </section>
  );
}

function hiddenIn(input: unknown): number {
  const words = typeof input === 'string' ? [input] : Object.values((input ?? {}) as object);
  return countHidden(words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join('\n'));
}
