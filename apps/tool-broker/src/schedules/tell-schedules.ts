/** Schedules in words for their person: what one is, that it began and why it ended. Never a word of a file. */
import { END_REASONS, type EndReason } from './end-reasons.ts';
import type { Schedule } from './schedule.ts';

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

export const tellSeconds = (seconds: number): string => {
  const [size, name] = UNITS.find(([unit]) => seconds >= unit && seconds % unit === 0) ?? UNITS[3];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};

export const tellBegan = ({ kind, everySeconds, path }: Pick<Schedule, 'kind' | 'everySeconds' | 'path'>): string =>
  kind === 'watch'
    ? `@bravo watches ${JSON.stringify(path)} and is asked again when it changes.`
    : kind === 'goal'
      ? 'A goal began: the line is asked again until a check finds it met, at most ten times.'
      : everySeconds > 0
        ? `A loop began: the line is asked again ${tellSeconds(everySeconds)} after each answer.`
        : 'A loop began: each answer says when the line is asked again.';

export const tellEnded = ({ kind, path }: Pick<Schedule, 'kind' | 'path'>, reason: EndReason): string =>
  `The ${kind}${kind === 'watch' ? ` of ${JSON.stringify(path)}` : ''} has ended. ${END_REASONS[reason]}`;

/** The line alone for a loop or a goal, unchanged; before that of a watch stands what happened, and nothing of the file but its name as it was given. */
export const promptOf = ({ kind, line, path }: Pick<Schedule, 'kind' | 'line' | 'path'>): string =>
  kind === 'watch'
    ? `[platform] The file ${JSON.stringify(path)} that you watch has changed. What the person had asked then:\n${line}`
    : line;
