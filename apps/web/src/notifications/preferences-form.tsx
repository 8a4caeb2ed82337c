/** What is also sent by e-mail, together at which time, and when nothing is sent. */
import { type FormEvent, useEffect, useState } from 'react';
import { problemText, toProblem } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { readPreferences, savePreferences } from './notifications.client.ts';

const KINDS: readonly [kind: string, label: string][] = [
  ['approval_wanted', 'Questions that wait'],
  ['turn_finished', 'Long answers that ended'],
  ['budget_near', 'Limits that are nearly used'],
  ['trail_problem', 'Trouble with the trail'],
];

const TIMES = [
  ['digest', 'Together at'],
  ['quiet_from', 'Nothing from'],
  ['quiet_to', 'until'],
] as const;

export function PreferencesForm({ workspace }: { workspace: string }) {
  const [known, setKnown] = useState<Awaited<ReturnType<typeof readPreferences>> | null>(null);
  const [told, setTold] = useState('');
  useEffect(() => {
    readPreferences(workspace).then(setKnown, (error: unknown) => setTold(problemText(toProblem(error))));
  }, [workspace]);

  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => String(form.get(name) ?? '');
    try {
      const { webhook_secret: secret } = await savePreferences(workspace, {
        email: form.getAll('email').map(String),
        digest: text('digest'),
        quiet_from: text('quiet_from'),
        quiet_to: text('quiet_to'),
        webhook: text('webhook').trim(),
        webhook_kinds: form.getAll('webhook_kinds').map(String),
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
      });
      setTold(secret === '' ? 'Kept.' : `Kept. The webhook is signed with this secret, shown this once: ${secret}`);
    } catch (error) {
      setTold(problemText(toProblem(error)));
    }
  };

  if (!known) return <p className="text-xs text-muted">{told}</p>;
  const field = 'rounded-md border border-border-strong bg-surface px-1 text-xs text-foreground';
  return (
    <form
      onSubmit={(event) => void save(event)}
      className="mt-1 space-y-2 px-1.5 pb-1 text-xs text-muted"
      data-testid="preferences"
    >
      <fieldset disabled={!known.email_offered}>
        <legend>{known.email_offered ? 'By e-mail, too:' : 'E-mail is not set up here.'}</legend>
        {KINDS.map(([kind, label]) => (
          <label key={kind} className="mt-1 flex items-center gap-2">
            <input type="checkbox" name="email" value={kind} defaultChecked={known.email.includes(kind)} /> {label}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>To a webhook, too:</legend>
        <input
          className={`${field} mt-1 w-full`}
          type="url"
          name="webhook"
          aria-label="Address of the webhook"
          placeholder="https://example.com/bravo"
          pattern="https://.*"
          defaultValue={known.webhook}
        />
        {KINDS.map(([kind, label]) => (
          <label key={kind} className="mt-1 flex items-center gap-2">
            <input
              type="checkbox"
              name="webhook_kinds"
              value={kind}
              defaultChecked={known.webhook_kinds.includes(kind)}
            />{' '}
            {label}
          </label>
        ))}
        {known.webhook_problem !== '' && <p className="mt-1 text-bad">Not taken: {known.webhook_problem}</p>}
      </fieldset>
      {TIMES.map(([name, label]) => (
        <label key={name} className="mt-1 flex items-center justify-between gap-2">
          {label} <input className={field} type="time" name={name} defaultValue={known[name]} />
        </label>
      ))}
      <Button type="submit">Keep</Button>
      <span role="status" className="break-all">
        {' '}
        {told}
      </span>
    </form>
  );
}
