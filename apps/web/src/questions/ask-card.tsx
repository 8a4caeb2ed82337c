/** Questions of @bravo to the person, one at a time, each with its options, own words and a way past it; nothing is sent before the last one was seen. */
import { useId, useRef, useState } from 'react';
import type { QuestionAnswer, ShownQuestion } from '../api/contract.ts';
import type { UiQuestion, UiToolCall } from '../conversation/conversation-state.ts';
import { useNow } from '../conversation/use-now.ts';
import { formatCountdown } from '../messages/format-amounts.ts';
import { HiddenText } from '../messages/hidden-text.tsx';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/icons.tsx';
import { chooseOption, type Draft, EMPTY_DRAFT, isAnswered, toAnswer, writeWords } from './answer-draft.ts';
import { Marked } from './marked.tsx';
import { useAnswering } from './use-answering.ts';
import { useFocusQuestion } from './use-focus-question.ts';
import { usePreview } from './use-preview.ts';

export function AskCard({ call, question }: { call: UiToolCall; question: UiQuestion }) {
  const { answer } = useAnswering();
  const card = useRef<HTMLElement>(null);
  const preview = usePreview(call.id);
  const [sent, setSent] = useState(false);
  const now = useNow(true);
  useFocusQuestion(card);
  const left = question.expiresAt - now;
  const expired = question.expiresAt > 0 && left <= 0;
  const titleId = `question-title-${call.id}`;

  const give = async (answers: readonly QuestionAnswer[] | 'none'): Promise<void> => {
    setSent(true);
    await (answers === 'none' ? answer(call.id, 'deny') : answer(call.id, 'approve', answers));
    setSent(false);
  };

  return (
    <section
      ref={card}
      id={`question-${call.id}`}
      data-testid="ask-card"
      data-status="needs_approval"
      data-question=""
      tabIndex={-1}
      aria-labelledby={titleId}
      className="scroll-mb-4 overflow-hidden rounded-xl border border-ask-border bg-surface shadow-card"
    >
      <header className="flex items-baseline justify-between gap-3 border-b border-ask-border bg-ask-soft px-3.5 py-2.5">
        <h3 id={titleId} className="font-semibold">
          @bravo asks you
        </h3>
        <span className="text-[0.8125rem] text-ask tabular-nums" data-testid="expiry">
          {question.expiresAt === 0 ? '' : expired ? 'expired' : `expires in ${formatCountdown(left)}`}
        </span>
      </header>
      <div className="space-y-3 px-3.5 py-3">
        {call.why !== '' && (
          <p className="text-sm">
            <span className="text-muted">@bravo says: </span>
            <HiddenText text={call.why} />
          </p>
        )}
        {preview === 'loading' ? (
          <p className="text-sm text-muted">Drawing the questions…</p>
        ) : preview === 'none' || preview.questions === undefined ? (
          <p className="text-sm text-bad">The questions cannot be drawn, so they cannot be answered here.</p>
        ) : (
          <Questions questions={preview.questions} closed={expired || sent} onDone={(answers) => void give(answers)} />
        )}
        {typeof preview === 'object' && preview.symbols > 0 && (
          <p className="text-sm font-medium text-bad">
            Characters that cannot be seen, or are not what they look like, are marked with a symbol.
          </p>
        )}
        <div className="flex items-center justify-between gap-2 border-t border-border pt-2.5">
          <p className="text-xs text-muted">
            {expired
              ? 'The questions have expired.'
              : 'Only you can answer. What you answer is kept for this conversation.'}
          </p>
          <Button
            look="ghost"
            size="small"
            className="whitespace-nowrap"
            data-testid="deny"
            disabled={expired || sent}
            onClick={() => void give('none')}
          >
            {sent && <Spinner />} Answer none
          </Button>
        </div>
      </div>
    </section>
  );
}

function Questions({
  questions,
  closed,
  onDone,
}: {
  questions: readonly ShownQuestion[];
  closed: boolean;
  onDone: (answers: readonly QuestionAnswer[]) => void;
}) {
  const [at, setAt] = useState(0);
  const [drafts, setDrafts] = useState<Readonly<Record<number, Draft>>>({});
  const question = questions[at];
  const words = useId();
  if (question === undefined) return null;
  const draft = drafts[question.number] ?? EMPTY_DRAFT;
  const change = (next: Draft): void => setDrafts({ ...drafts, [question.number]: next });
  const isLast = at === questions.length - 1;

  const goOn = (own: Draft | undefined): void => {
    const { [question.number]: _, ...others } = drafts;
    const next = own === undefined ? others : { ...others, [question.number]: own };
    setDrafts(next);
    if (isLast) onDone(questions.map((one) => toAnswer(one, next[one.number])));
    else setAt(at + 1);
  };

  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAnswered(draft)) goOn(draft);
      }}
    >
      <fieldset disabled={closed} className="space-y-2.5">
        <legend className="mb-1 w-full">
          <span className="flex items-baseline justify-between gap-2 text-xs text-muted">
            <span data-testid="ask-header">
              <Marked shown={question.header} />
            </span>
            {questions.length > 1 && (
              <span data-testid="ask-place">
                {at + 1} of {questions.length}
              </span>
            )}
          </span>
          <span className="exact block font-medium" data-testid="ask-question">
            <Marked shown={question.question} />
          </span>
        </legend>
        {question.options.map((option, index) => (
          <label
            key={`${question.number}-${index}`}
            className="flex cursor-pointer items-baseline gap-2.5 rounded-lg border border-border-strong px-3 py-2 text-sm hover:bg-raised has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type={question.multiple ? 'checkbox' : 'radio'}
              name={`option-${question.number}`}
              data-testid={`option-${index + 1}`}
              checked={draft.options.includes(index + 1)}
              onChange={() => change(chooseOption(draft, question, index + 1))}
            />
            <span className="exact min-w-0">
              <Marked shown={option} />
            </span>
          </label>
        ))}
        <div>
          <label htmlFor={words} className="mb-1 block text-xs font-medium text-muted">
            {question.options.length === 0 ? 'Your answer' : 'Or in your own words'}
          </label>
          <textarea
            id={words}
            data-testid="own-words"
            rows={2}
            maxLength={4000}
            value={draft.words}
            onChange={(event) => change(writeWords(draft, question, event.target.value))}
            className="w-full rounded-lg border border-border-strong bg-surface px-3 py-2 text-sm"
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" data-testid="next" disabled={!isAnswered(draft)}>
            {isLast ? (questions.length > 1 ? 'Send the answers' : 'Send the answer') : 'Next question'}
          </Button>
          <Button data-testid="skip" onClick={() => goOn(undefined)}>
            {isLast && questions.length > 1 ? 'Skip it and send' : 'Skip this question'}
          </Button>
          {at > 0 && (
            <Button look="ghost" onClick={() => setAt(at - 1)}>
              Back
            </Button>
          )}
        </div>
      </fieldset>
    </form>
  );
}
