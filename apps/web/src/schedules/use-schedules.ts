/** Keeps the list of what is scheduled in the open conversation; what cannot be read is said, never shown as none. */
import { useCallback, useEffect, useState } from 'react';
import { cancelSchedule, listSchedules } from '../api/bravo.client.ts';
import type { Schedule } from '../api/contract.ts';
import { problemText, toProblem } from '../api/problem.ts';

const SETTLE_MS = 400;

/** @param news grows whenever something happened that may have begun or ended one. */
export function useSchedules(
  workspace: string,
  id: string,
  news: number,
): { schedules: readonly Schedule[]; problem: string; cancel: (scheduleId: string) => Promise<void> } {
  const [schedules, setSchedules] = useState<readonly Schedule[]>([]);
  const [problem, setProblem] = useState('');
  const read = useCallback(async () => {
    try {
      setSchedules(await listSchedules(workspace, id));
      setProblem('');
    } catch (error) {
      const found = toProblem(error);
      if (found.status !== 404) setProblem(problemText(found));
    }
  }, [workspace, id]);

  useEffect(() => {
    // The end of a turn is told a moment after the stream says it.
    const timers = [SETTLE_MS, 4 * SETTLE_MS].map((after) => setTimeout(() => void read(), after));
    return () => timers.forEach(clearTimeout);
  }, [read, news]);

  const cancel = useCallback(
    async (scheduleId: string) => {
      try {
        await cancelSchedule(workspace, id, scheduleId);
      } catch (error) {
        setProblem(problemText(toProblem(error)));
      }
      await read();
    },
    [workspace, id, read],
  );
  return { schedules, problem, cancel };
}
