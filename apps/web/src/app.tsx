/** Decides between sign-in and the workspace; it must never show a workspace the session did not name. */
import { useCallback, useEffect, useState } from 'react';
import { readSession } from './api/bravo.client.ts';
import type { Session } from './api/contract.ts';
import { whenSignedOut } from './api/http.client.ts';
import { type Problem, toProblem } from './api/problem.ts';
import { ProblemPage } from './sessions/problem-page.tsx';
import { mayBeSignedIn, rememberSignedIn } from './sessions/session-hint.ts';
import { SignInPage } from './sessions/sign-in-page.tsx';
import { AppShell } from './shell/app-shell.tsx';

type Stage =
  | { kind: 'loading' }
  | { kind: 'signed-out' }
  | { kind: 'signed-in'; session: Session }
  | { kind: 'problem'; problem: Problem };

export function App() {
  const [stage, setStage] = useState<Stage>({ kind: 'loading' });

  const load = useCallback(async () => {
    try {
      setStage({ kind: 'signed-in', session: await readSession() });
      rememberSignedIn(true);
    } catch (error) {
      const problem = toProblem(error);
      setStage(problem.status === 401 ? { kind: 'signed-out' } : { kind: 'problem', problem });
    }
  }, []);

  const leave = useCallback(() => {
    rememberSignedIn(false);
    setStage({ kind: 'signed-out' });
  }, []);

  useEffect(() => {
    whenSignedOut(leave);
    if (mayBeSignedIn()) void load();
    else setStage({ kind: 'signed-out' });
  }, [load, leave]);

  if (stage.kind === 'loading') return <div className="h-full" aria-busy="true" />;
  if (stage.kind === 'signed-out') return <SignInPage onSignedIn={load} />;
  if (stage.kind === 'problem') return <ProblemPage problem={stage.problem} onRetry={load} />;
  return <AppShell session={stage.session} onSignedOut={leave} />;
}
