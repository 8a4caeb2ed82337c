/** Which model answers, said where one writes, and the panel in which it is chosen: for this conversation, or for oneself everywhere. */
import { useId, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { CheckIcon, CrossIcon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { formatWindow, groupModels } from './group-models.ts';
import { type ModelChoosing, useModelChoice } from './use-model-choice.ts';

const EFFORTS = ['', 'low', 'medium', 'high', 'xhigh', 'max'];
const DECIDED: Readonly<Record<string, string>> = {
  conversation: 'chosen for this conversation',
  person: 'your choice',
  workspace: "the workspace's choice",
  settings: 'from the settings',
  automatic: 'chosen automatically',
};

export function ModelPicker({ workspace, conversation }: { workspace: string; conversation: string }) {
  const models = useModelChoice(workspace, conversation);
  const dialog = useRef<HTMLDialogElement>(null);
  const [scope, setScope] = useState<'conversation' | 'person'>('conversation');
  const [words, setWords] = useState('');
  const title = useId();
  const { choice, problem } = models;
  if (!choice) return null;
  const { effective } = choice;
  return (
    <>
      <button
        type="button"
        data-testid="model-open"
        title={`${effective.label}: ${DECIDED[effective.decided_by] ?? ''}. Choose another model.`}
        className="max-w-[13rem] truncate rounded-md border border-border px-2 py-1 text-xs text-muted transition-colors hover:bg-sunken hover:text-foreground"
        onClick={() => {
          setWords('');
          dialog.current?.showModal();
          void models.load();
        }}
      >
        Model: {effective.label}
      </button>
      <dialog
        ref={dialog}
        aria-labelledby={title}
        data-testid="model-dialog"
        className="m-auto max-h-[min(40rem,calc(100vh-2rem))] w-[min(32rem,calc(100vw-2rem))] flex-col rounded-2xl border border-border bg-surface p-0 text-foreground open:flex"
      >
        <header className="flex items-start gap-3 border-b border-border px-5 py-4">
          <div className="min-w-0 flex-1">
            <h2 id={title} className="text-lg font-semibold tracking-tight">
              Model
            </h2>
            <p className="text-sm text-muted" data-testid="model-effective">
              {effective.label} answers, {DECIDED[effective.decided_by] ?? effective.decided_by}.
            </p>
          </div>
          <Button look="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
            <CrossIcon />
          </Button>
        </header>
        <div className="space-y-3 border-b border-border px-5 py-3">
          <label className="flex items-center gap-2 text-sm">
            <span className="shrink-0 text-muted">Choose for</span>
            <select
              value={scope}
              data-testid="model-scope"
              onChange={(event) => setScope(event.target.value as typeof scope)}
              className="min-w-0 flex-1 rounded-md border border-border bg-surface px-2 py-1.5"
            >
              <option value="conversation">this conversation</option>
              <option value="person">me, wherever a conversation has no choice of its own</option>
            </select>
          </label>
          <input
            type="search"
            value={words}
            data-testid="model-search"
            aria-label="Search models"
            placeholder="Search by name or service"
            onChange={(event) => setWords(event.target.value)}
            className="w-full rounded-md border border-border bg-surface px-3 py-1.5 text-sm"
          />
          {problem !== '' && <Notice>{problem}</Notice>}
        </div>
        <Rows models={models} scope={scope} words={words} />
        <Effort models={models} scope={scope} />
      </dialog>
    </>
  );
}

function Rows({
  models: { list, choice, choose },
  scope,
  words,
}: {
  models: ModelChoosing;
  scope: 'conversation' | 'person';
  words: string;
}) {
  const recorded = choice?.[scope].model ?? '';
  const groups = groupModels(list?.models ?? [], words);
  const row = (id: string, label: string, hint: string) => (
    <li key={id}>
      <button
        type="button"
        data-testid={`model-${id}`}
        aria-pressed={recorded === id}
        onClick={() => void choose(scope, { model: id })}
        className="flex w-full items-center gap-3 rounded-lg px-3 py-2 text-left text-sm transition-colors hover:bg-sunken"
      >
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <span className="shrink-0 text-xs text-muted">{hint}</span>
        <span className="size-4 shrink-0">{recorded === id && <CheckIcon />}</span>
      </button>
    </li>
  );
  return (
    <div className="scroll-slim min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      {words === '' && (
        <ul className="pt-2">
          {row('automatic', 'Automatic', 'the platform chooses')}
          {scope === 'conversation' && row('', 'As I chose for myself', '')}
        </ul>
      )}
      {list === null && <p className="px-3 py-4 text-sm text-muted">Reading the list…</p>}
      {list !== null && groups.length === 0 && <p className="px-3 py-4 text-sm text-muted">No model matches.</p>}
      {groups.map((group) => (
        <section key={group.service} aria-label={group.label}>
          <h3 className="sticky top-0 bg-surface px-3 pt-3 pb-1 text-xs font-medium text-muted">{group.label}</h3>
          <ul>{group.models.map((model) => row(model.id, model.label, formatWindow(model.context_tokens)))}</ul>
        </section>
      ))}
      {/* Whoever looks for a model by words is not looking for what is broken. */}
      {words === '' && <Unavailable list={list} />}
    </div>
  );
}

/** Services that gave no list, or an old one, and what of the settings was not understood. */
function Unavailable({ list }: { list: ModelChoosing['list'] }) {
  const services = list?.services.filter(({ problem }) => problem !== '') ?? [];
  const told = [
    ...services.map(({ label, stale, problem }) => `${label}: ${stale ? 'an earlier list is shown. ' : ''}${problem}`),
    ...(list?.notes ?? []),
  ];
  if (told.length === 0) return null;
  return (
    <section aria-label="Not offered" className="mx-3 mt-3 border-t border-border pt-3">
      <h3 className="text-xs font-medium text-muted">Not offered</h3>
      <ul className="mt-1 space-y-1.5 text-xs text-muted">
        {told.map((sentence) => (
          <li key={sentence} className="break-words">
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Effort({ models: { choice, choose }, scope }: { models: ModelChoosing; scope: 'conversation' | 'person' }) {
  if (!choice) return null;
  const { effective } = choice;
  return (
    <label className="flex items-center gap-2 border-t border-border px-5 py-3 text-sm">
      <span className="shrink-0 text-muted">How hard to think</span>
      <select
        value={choice[scope].effort}
        data-testid="model-effort"
        onChange={(event) => void choose(scope, { effort: event.target.value })}
        className="rounded-md border border-border bg-surface px-2 py-1.5"
      >
        {EFFORTS.map((effort) => (
          <option key={effort} value={effort}>
            {effort === '' ? 'no level' : effort}
          </option>
        ))}
      </select>
      {effective.effort !== '' && !effective.effort_sent && (
        <span className="min-w-0 flex-1 text-xs text-muted">This model reads no level, so none is sent.</span>
      )}
    </label>
  );
}
