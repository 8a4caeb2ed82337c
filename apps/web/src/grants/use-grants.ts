/** Keeps the list of live grants of the open conversation; what cannot be read is said, never shown as none. */
import { useCallback, useEffect, useState } from 'react';
import { listGrants, revokeGrant } from '../api/bravo.client.ts';
import type { Grant } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';

const SETTLE_MS = 400;

/** @param news grows whenever something happened that may have given or ended one. */
export function useGrants(
  workspace: string,
  id: string,
  news: number,
): { grants: readonly Grant[]; problem: string; revoke: (grantId: string) => Promise<void> } {
  const [grants, setGrants] = useState<readonly Grant[]>([]);
  const [problem, setProblem] = useState('');
  const read = useCallback(async () => {
    try {
      setGrants(await listGrants(workspace, id));
      setProblem('');
    } catch (error) {
      const found = toProblem(error);
      if (found.status !== 404) setProblem(problemText(found));
    }
  }, [workspace, id]);

  useEffect(() => {
    const timer = setTimeout(() => void read(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [read, news]);

  const revoke = useCallback(
    async (grantId: string) => {
      try {
        await revokeGrant(workspace, id, grantId);
      } catch (error) {
        setProblem(problemText(toProblem(error)));
      }
      await read();
    },
    [workspace, id, read],
  );
  return { grants, problem, revoke };
}
