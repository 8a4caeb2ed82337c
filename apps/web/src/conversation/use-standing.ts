/** Keeps the list of what stands in the open conversation until its person ends it (grants, schedules); what cannot be read is said, never shown as none. */
import { useCallback, useEffect, useState } from 'react';
import { problemText, toProblem } from '../api/problem.ts';

/** The first look after news, and one more: what the end of a turn begins or ends is told a moment after the stream says it. */
const LOOKS_AFTER_MS = [400, 1_600];

export interface Standing<T> {
  readonly items: readonly T[];
  /** Empty while all could be read and ended. */
  readonly problem: string;
  readonly end: (itemId: string) => Promise<void>;
}

/**
 * @param list and `endOne` keep their identity over renders.
 * @param news grows whenever something happened that may have begun or ended one.
 */
export function useStanding<T>(
  list: (workspace: string, conversation: string) => Promise<readonly T[]>,
  endOne: (workspace: string, conversation: string, itemId: string) => Promise<void>,
  { workspace, id, news }: { workspace: string; id: string; news: number },
): Standing<T> {
  const [items, setItems] = useState<readonly T[]>([]);
  const [problem, setProblem] = useState('');
  const read = useCallback(async () => {
    try {
      setItems(await list(workspace, id));
      setProblem('');
    } catch (error) {
      const found = toProblem(error);
      if (found.status !== 404) setProblem(problemText(found));
    }
  }, [list, workspace, id]);

  useEffect(() => {
    const timers = LOOKS_AFTER_MS.map((after) => setTimeout(() => void read(), after));
    return () => timers.forEach(clearTimeout);
  }, [read, news]);

  const end = useCallback(
    async (itemId: string) => {
      const refused = await endOne(workspace, id, itemId).then(
        () => '',
        (error: unknown) => problemText(toProblem(error)),
      );
      await read();
      // After the list, which would take the reason away again.
      if (refused !== '') setProblem(refused);
    },
    [endOne, workspace, id, read],
  );
  return { items, problem, end };
}
