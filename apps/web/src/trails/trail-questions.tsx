/** The questions people ask a trail again and again: one is chosen, what it is about is filled in, and it is asked. */
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import type { Question, Seer } from './trail.client.ts';

type Field = 'conversation' | 'slot' | 'grant' | 'person';
const QUESTIONS: readonly { question: string; label: string; fields: readonly Field[] }[] = [
  { question: 'slot', label: 'Who could have seen this slot?', fields: ['conversation', 'slot'] },
  { question: 'grant', label: 'Everything done under this grant', fields: ['grant'] },
  { question: 'approvals', label: 'Every answer of this person and what it caused', fields: ['person'] },
  { question: 'story', label: 'The story of a conversation', fields: ['conversation'] },
];
const HINTS: Record<Field, string> = {
  conversation: 'cnv_…',
  slot: 'number, as in ref:1',
  grant: 'grt_…',
  person: 'usr_…',
};
const HOW: Record<Seer['how'], string> = {
  owner: 'whose conversation it is',
  released: 'it was let through to the agent',
  opened: 'opened the sealed content',
};

export function TrailQuestions({ onAsk }: { onAsk: (question: Question) => void }) {
  const [chosen, setChosen] = useState(QUESTIONS[0]);
  const ask = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!chosen) return;
    const form = new FormData(event.currentTarget);
    const filled = chosen.fields.map((name) => [name, String(form.get(name) ?? '').trim()] as const);
    onAsk({ question: chosen.question, ...Object.fromEntries(filled) });
  };
  const look = 'rounded-md border border-border-strong bg-surface px-2 py-1 text-sm text-foreground';
  return (
    <form onSubmit={ask} className="mb-4 flex flex-wrap items-end gap-2" data-testid="trail-questions">
      <label className="text-xs text-muted">
        Ask
        <select
          className={`${look} mt-0.5 block`}
          data-testid="trail-question"
          value={chosen?.question}
          onChange={(event) => setChosen(QUESTIONS.find(({ question }) => question === event.target.value))}
        >
          {QUESTIONS.map(({ question, label }) => (
            <option key={question} value={question}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {chosen?.fields.map((name) => (
        <label key={name} className="min-w-0 flex-1 text-xs text-muted capitalize">
          {name}
          <input
            name={name}
            required
            maxLength={64}
            placeholder={HINTS[name]}
            className={`${look} mt-0.5 block w-full`}
          />
        </label>
      ))}
      <Button type="submit">Ask</Button>
    </form>
  );
}

export function Seers({ seers }: { seers: readonly Seer[] }) {
  return (
    <div className="mb-4 rounded-lg border border-border bg-surface p-3 text-sm" data-testid="trail-seers">
      <h2 className="mb-1 font-medium">Who could have seen it</h2>
      {seers.length === 0 && <p className="text-muted">There is no such slot in the trail.</p>}
      <ul className="space-y-0.5">
        {seers.map(({ who, how, index }) => (
          <li key={`${who} ${how}`}>
            <code className="text-xs">{who}</code>{' '}
            <span className="text-muted">
              — {HOW[how]} (entry {index})
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-1 text-xs text-muted">
        Whoever may read the whole trail could open the sealed content; if they did, they stand here.
      </p>
    </div>
  );
}
