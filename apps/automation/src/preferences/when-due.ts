/** When something may be sent to a person, by the clock of where they are. It must never fall into their quiet hours. */
import type { Preferences } from './preferences.ts';

const MINUTE_MS = 60_000;
const DAY = 1_440;

/** At once; with a digest what is not urgent at its next time; out of quiet hours at their end. */
export const whenDue = (now: Date, preferences: Preferences, urgent: boolean): Date => {
  const { digest, quietFrom, quietTo, timeZone } = preferences;
  const due = digest !== '' && !urgent ? nextAt(now, digest, timeZone) : now;
  return quietFrom !== '' && isWithin(due, quietFrom, quietTo, timeZone) ? nextAt(due, quietTo, timeZone) : due;
};

const isWithin = (at: Date, from: string, to: string, timeZone: string): boolean => {
  const [minute, begin, end] = [minuteOfDay(at, timeZone), minutesOf(from), minutesOf(to)];
  return begin < end ? minute >= begin && minute < end : minute >= begin || minute < end;
};

/** The next moment after `from` at which clocks there show that time; where they skip it, the moment they would have. */
const nextAt = (from: Date, time: string, timeZone: string): Date => {
  const target = minutesOf(time);
  let at = Math.floor(from.getTime() / MINUTE_MS);
  at += (target - minuteOfDay(from, timeZone) + DAY) % DAY || DAY;
  // A change of the clocks in between moves it by what it moved them.
  const off = ((target - minuteOfDay(new Date(at * MINUTE_MS), timeZone) + DAY + DAY / 2) % DAY) - DAY / 2;
  return new Date((at + off) * MINUTE_MS);
};

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const minuteOfDay = (at: Date, timeZone: string): number => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return minutesOf(clock.format(at));
};
