/** Loops, goals and watches as the gateway uses them; what may be begun and ended is decided where they are kept. */
import type { CallSubject } from '../callers/caller.ts';
import type { ScheduleView } from './schedule-routes.ts';

export const SCHEDULES = Symbol('schedules');

export interface Schedules {
  list(subject: CallSubject, conversationId: string): Promise<ScheduleView[]>;
  cancel(subject: CallSubject, conversationId: string, scheduleId: string): Promise<void>;
}

/** The line that means it, so that there is one way in: `--` keeps the line from being read for anything else. */
export const lineOf = (kind: 'loop' | 'goal', line: string, everySeconds: number | undefined): string =>
  `/${kind} ${everySeconds === undefined ? '' : `${everySeconds}s `}-- ${line}`;
