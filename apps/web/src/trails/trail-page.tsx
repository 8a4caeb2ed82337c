/** The workspace's whole trail for whoever may read it: filtered, paged, verified and exported. What is looked at here is itself recorded. */
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { searchAudit, type TrailSearch, verifyAudit } from '../api/bravo.client.ts';
import type { AuditEntry, Person } from '../api/contract.ts';
import { type Problem, toProblem } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { MenuIcon, Spinner } from '../ui/icons.tsx';
import { Destinations } from './destinations.tsx';
import { RetentionLine } from './retention-line.tsx';
import { askTrail, type Question, type Seer } from './trail.client.ts';
import { Seers, TrailQuestions } from './trail-questions.tsx';
import { Trail } from './trail.tsx';
import type { Verification } from './use-trail.ts';
import { VerifiedBadge } from './verified-badge.tsx';

const FIELDS: readonly { name: keyof TrailSearch; label: string; hint: string }[] = [
  { name: 'on_behalf_of', label: 'Person', hint: 'usr_…: everything done for them' },
  { name: 'actor', label: 'Actor', hint: 'user:usr_…, bravo:usr_…' },
  { name: 'type', label: 'Event', hint: 'agent.tool.decided' },
  { name: 'tool', label: 'Tool', hint: 'execute_script' },
  { name: 'decision', label: 'Decision', hint: 'allow, ask or deny' },
  { name: 'tool_call', label: 'Tool call', hint: 'tc_…: all that came of it' },
  { name: 'conversation', label: 'Conversation', hint: 'cnv_…' },
  { name: 'resource', label: 'Names the id', hint: 'apr_…, grt_…, pod_…' },
  { name: 'text', label: 'Words', hint: 'exactly as recorded' },
];

const FORMATS = ['jsonl', 'csv', 'cloudevents', 'ocsf', 'cef'];
const NOBODY = new Map<string, string>();

export function TrailPage({ workspace, me, onMenu }: { workspace: string; me: Person; onMenu: (() => void) | null }) {
  const [asked, setAsked] = useState<TrailSearch>({});
  const [question, setQuestion] = useState<Question | null>(null);
  const [seers, setSeers] = useState<Seer[]>([]);
  const [entries, setEntries] = useState<AuditEntry[]>([]);
  const [cursor, setCursor] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [loading, setLoading] = useState(true);
  const [verification, setVerification] = useState<Verification>('unknown');

  const load = useCallback(
    async (search: TrailSearch, after: string, about: Question | null = null): Promise<void> => {
      setLoading(true);
      setQuestion(about);
      try {
        const page = about
          ? await askTrail(workspace, about, after)
          : { ...(await searchAudit(workspace, search, after)), seers: [] };
        if (after === '') setSeers(page.seers);
        setEntries((known) => (after === '' ? page.entries : [...known, ...page.entries]));
        setCursor(page.next);
        setProblem(null);
      } catch (error) {
        setProblem(toProblem(error));
      } finally {
        setLoading(false);
      }
    },
    [workspace],
  );

  useEffect(() => {
    void load({}, '');
    verifyAudit(workspace).then(setVerification, (error: unknown) => setVerification(toProblem(error)));
  }, [workspace, load]);

  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const filled = FIELDS.map(({ name }) => [name, String(form.get(name) ?? '').trim()] as const);
    const next = Object.fromEntries(filled.filter(([, value]) => value !== '')) as TrailSearch;
    setAsked(next);
    void load(next, '');
  };

  const exported = (format: string): string =>
    `/api/v1/${encodeURIComponent(workspace)}/audit/export?${new URLSearchParams({ ...asked, format })}`;

  return (
    <main className="scroll-slim min-w-0 flex-1 overflow-y-auto" data-testid="trail-page">
      <div className="mx-auto max-w-3xl px-6 py-8">
        <div className="mb-4 flex items-center gap-3">
          {onMenu && (
            <Button look="ghost" size="icon" aria-label="Conversations" onClick={onMenu}>
              <MenuIcon className="size-5" />
            </Button>
          )}
          <h1 className="flex-1 text-2xl font-semibold tracking-tight">Trail of the workspace</h1>
          <VerifiedBadge verification={verification} />
        </div>
        <p className="mb-4 text-sm text-muted">That you look here is recorded, too.</p>
        <RetentionLine workspace={workspace} />
        <Destinations workspace={workspace} />
        <TrailQuestions onAsk={(about) => void load({}, '', about)} />
        <form onSubmit={search} className="mb-4 grid grid-cols-2 gap-2 sm:grid-cols-3" data-testid="trail-filters">
          {FIELDS.map(({ name, label, hint }) => (
            <label key={name} className="text-xs text-muted">
              {label}
              <input
                name={name}
                placeholder={hint}
                maxLength={200}
                className="mt-0.5 w-full rounded-md border border-border-strong bg-surface px-2 py-1 text-sm text-foreground"
              />
            </label>
          ))}
          <Button type="submit" look="primary" className="col-span-full justify-self-start">
            Show
          </Button>
        </form>
        <p className="mb-6 flex flex-wrap gap-x-3 text-sm">
          <span className="text-muted">Export what is shown, each entry with its proof:</span>
          {FORMATS.map((format) => (
            <a key={format} href={exported(format)} className="underline" download>
              {format}
            </a>
          ))}
        </p>
        {question?.question === 'slot' && !loading && !problem && <Seers seers={seers} />}
        <Trail
          trail={{ entries, verification, problem, loaded: !loading || entries.length > 0 }}
          me={me}
          quotes={NOBODY}
        />
        {loading && <Spinner className="size-4" />}
        {!loading && cursor !== '' && (
          <Button onClick={() => void load(asked, cursor, question)}>{question ? 'Later' : 'Earlier'} entries</Button>
        )}
      </div>
    </main>
  );
}
