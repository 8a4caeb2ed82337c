/** Keeps what the settings file among the files proposes; it must never accept a rule nobody clicked, and what cannot be read is said. */
import { useCallback, useEffect, useState } from 'react';
import { acceptRepositoryRules, seeRepositorySettings } from '../api/bravo.client.ts';
import type { RepositorySettings } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';

const SETTLE_MS = 400;

export interface Repository {
  readonly settings: RepositorySettings | null;
  readonly problem: string;
  /** The rule whose acceptance is on its way; empty where none is. */
  readonly accepting: string;
  readonly accept: (rule: string) => Promise<void>;
}

/** @param news grows whenever something happened that may have brought the file. */
export function useRepository(workspace: string, id: string, ended: boolean, news: number): Repository {
  const [settings, setSettings] = useState<RepositorySettings | null>(null);
  const [problem, setProblem] = useState('');
  const [accepting, setAccepting] = useState('');

  useEffect(() => {
    // An ended conversation has no settings any more, and nothing waits in it.
    if (ended) return undefined;
    let gone = false;
    const timer = setTimeout(() => {
      seeRepositorySettings(workspace, id).then(
        (read) => {
          if (gone) return;
          setSettings(read);
          setProblem('');
        },
        (error: unknown) => {
          const found = toProblem(error);
          // The broker learns of a conversation with its first call.
          if (!gone && found.status !== 404) setProblem(problemText(found));
        },
      );
    }, SETTLE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [workspace, id, ended, news]);

  const accept = useCallback(
    async (rule: string) => {
      setAccepting(rule);
      try {
        setSettings(await acceptRepositoryRules(workspace, id, [rule]));
        setProblem('');
      } catch (error) {
        setProblem(problemText(toProblem(error)));
      }
      setAccepting('');
    },
    [workspace, id],
  );
  return { settings: ended ? null : settings, problem: ended ? '' : problem, accepting, accept };
}
