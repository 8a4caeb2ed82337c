/** Loops, goals and watches in words; it must never make one that lives sound ended. */
import type { Schedule } from '../api/contract.ts';

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** The largest unit that says it exactly. */
export function tellSeconds(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= unit && seconds % unit === 0) ?? UNITS[3];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

export function scheduleTitle({ kind, path, every_seconds }: Schedule): string {
  if (kind === 'watch') return `Watches ${path}`;
  if (kind === 'goal') return 'Works towards a goal';
  return every_seconds > 0 ? `Loop, ${tellSeconds(every_seconds)} after each answer` : 'Loop at its own pace';
}

/** @param now milliseconds since the epoch. */
export function scheduleState(schedule: Schedule, now: number): string {
  if (schedule.status !== 'live') return `ended · ${schedule.end_text}`;
  const made = schedule.fires === 1 ? '1 turn' : `${schedule.fires} turns`;
  const quiet = schedule.quiet > 1 ? ` · nothing new ${schedule.quiet} times in a row` : '';
  if (schedule.due_at === null) return schedule.kind === 'watch' ? `${made} so far` : `${made} · its turn is not over`;
  const left = Math.max(0, Math.ceil((Date.parse(schedule.due_at) - now) / 1000));
  const next =
    left === 0
      ? 'asked again now'
      : `asked again in ${left < 120 ? tellSeconds(left) : `${Math.ceil(left / 60)} minutes`}`;
  return `${made} · ${next}${quiet}`;
}
