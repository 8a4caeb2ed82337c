/** What becomes of a loop or goal when one of its turns has ended; pure, and the only place that decides it. */
import type { EndReason } from './end-reasons.ts';
import { reasonOfDrop } from './end-reasons.ts';
import { type EndedTurn, type Findings, GOAL_ROUNDS, type Schedule, WAKE_SECONDS } from './schedule.ts';

export type AfterTurn =
  | { readonly ends: EndReason }
  /** Seconds until it is asked again; undefined: it waits for nothing in time (a watch). */
  | { readonly dueInSeconds: number | undefined; readonly silent: number; readonly failures: number };

const MOST_FAILURES = 3;
const MOST_SILENT = 2;

export const afterTurn = (
  schedule: Pick<Schedule, 'kind' | 'everySeconds' | 'nextSeconds' | 'fires' | 'silent' | 'failures'>,
  turn: Pick<EndedTurn, 'status' | 'errorCode'>,
  { budgetGone, verdict }: Findings,
): AfterTurn => {
  const { kind, everySeconds, nextSeconds } = schedule;
  if (turn.status === 'dropped') return { ends: reasonOfDrop(turn.errorCode) };
  if (turn.status === 'cancelled' && kind !== 'watch') return { ends: 'turn_stopped' };
  const failed = turn.status === 'failed' || turn.status === 'interrupted';
  if (failed && budgetGone) return { ends: 'budget' };
  const failures = failed ? schedule.failures + 1 : 0;
  if (failures >= MOST_FAILURES) return { ends: 'failed' };
  if (kind === 'watch') return { dueInSeconds: undefined, silent: 0, failures };
  if (kind === 'goal') {
    if (verdict === 'met' || verdict === 'impossible' || verdict === 'unjudged') return { ends: verdict };
    return schedule.fires >= GOAL_ROUNDS ? { ends: 'rounds' } : { dueInSeconds: 0, silent: 0, failures };
  }
  if (everySeconds > 0) return { dueInSeconds: everySeconds, silent: 0, failures };
  if (nextSeconds !== undefined) return { dueInSeconds: nextSeconds, silent: 0, failures };
  const silent = schedule.silent + 1;
  return silent >= MOST_SILENT ? { ends: 'silent' } : { dueInSeconds: WAKE_SECONDS, silent, failures };
};
