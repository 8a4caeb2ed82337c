/** Sign-in with the local issuer: the seeded people as choices, said to be a demo of this machine; it must never ask for a password it would not check. */
import { useEffect, useState } from 'react';
import { listPeople, signIn } from '../api/bravo.client.ts';
import type { Person } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';
import { Badge } from '../ui/badge.tsx';
import { ChevronIcon, Mark, Spinner } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { Avatar } from './avatar.tsx';

export function SignInPage({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [people, setPeople] = useState<Person[] | null>(null);
  const [busy, setBusy] = useState('');
  const [problem, setProblem] = useState('');

  useEffect(() => {
    let current = true;
    listPeople()
      .then((found) => current && setPeople(found))
      .catch((error: unknown) => {
        if (!current) return;
        setPeople([]);
        setProblem(problemText(toProblem(error)));
      });
    return () => {
      current = false;
    };
  }, []);

  const choose = async (name: string): Promise<void> => {
    setBusy(name);
    setProblem('');
    try {
      await signIn(name);
      await onSignedIn();
    } catch (error) {
      setProblem(problemText(toProblem(error)));
      setBusy('');
    }
  };

  return (
    <main className="grid h-full place-items-center overflow-y-auto p-5">
      <div className="w-full max-w-[25rem]">
        <div className="mb-7 flex flex-col items-start gap-4">
          <Mark className="size-12" />
          <div>
            <h1 className="text-[1.625rem] leading-tight font-semibold tracking-tight">Sign in to Bravo</h1>
            <p className="mt-1.5 text-muted">
              Work with an agent that asks before it acts, and keeps a record you can check.
            </p>
          </div>
        </div>
        <section aria-labelledby="who" className="rounded-2xl border border-border bg-surface p-2 shadow-card">
          <div className="flex flex-wrap items-center justify-between gap-2 px-3 pt-2 pb-2">
            <h2 id="who" className="text-sm font-medium">
              Who are you?
            </h2>
            <Badge tone="ask">demo sign-in, this machine only</Badge>
          </div>
          {people === null && (
            <p className="flex items-center gap-2 px-3 py-4 text-sm text-muted">
              <Spinner /> Looking up who may sign in…
            </p>
          )}
          {people?.length === 0 && problem === '' && (
            <p className="px-3 py-4 text-sm text-muted">
              Nobody may sign in this way here. Ask the operator for another way in.
            </p>
          )}
          <ul>
            {people?.map((person) => (
              <li key={person.id || person.name}>
                <button
                  type="button"
                  data-testid={`sign-in-${person.name}`}
                  disabled={busy !== ''}
                  onClick={() => void choose(person.name)}
                  className="flex w-full items-center gap-3 rounded-xl px-3 py-2.5 text-left transition-colors hover:bg-raised disabled:opacity-60"
                >
                  <Avatar name={person.display_name || person.name} />
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium">{person.display_name || person.name}</span>
                    <span className="block truncate text-sm text-muted">{person.email || person.name}</span>
                  </span>
                  {busy === person.name ? (
                    <Spinner className="size-4 text-muted" />
                  ) : (
                    <ChevronIcon className="size-4 text-muted" />
                  )}
                </button>
              </li>
            ))}
          </ul>
          {problem !== '' && <Notice className="m-1">{problem}</Notice>}
        </section>
        <p className="mt-4 px-1 text-[0.8125rem] text-muted">
          No password is asked for, because this issuer trusts everyone who can reach this machine. It refuses to run in
          production.
        </p>
      </div>
    </main>
  );
}
