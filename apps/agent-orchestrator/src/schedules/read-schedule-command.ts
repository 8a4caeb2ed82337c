/** `/loop` and `/goal`: lines of a person that ask something of the platform itself. They are read here and never by a model; a line that is neither is not touched. */
import { Fault } from '@bravo/faults';
import { LIMITS } from '@bravo/policy';

export interface ScheduleCommand {
  readonly name: 'loop' | 'goal' | 'stop_loop' | 'stop_goal';
  /** 0: each turn says when it wants to be asked again. */
  readonly everySeconds: number;
  /** What is asked, and asked again, exactly as it was typed; '' for a stop. */
  readonly line: string;
}

const COMMAND = /^\/(loop|goal)(?=\s|$)\s*/;
const INTERVAL = /^([0-9]{1,6})([smhd])(?=\s|$)\s*/;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const { min: SHORTEST, value: LONGEST } = LIMITS['loop-person-interval'];

const USAGE: Readonly<Record<'loop' | 'goal', string>> = {
  loop: 'It is "/loop 5m check the build" (s, m, h or d), "/loop check the build" for a loop that sets its own pace, or "/loop stop".',
  goal: 'It is "/goal all tests pass" or "/goal stop".',
};

const refuse = (why: string, name: 'loop' | 'goal'): Fault =>
  new Fault('invalid_argument', `${why} ${USAGE[name]} After "--" everything is the line.`, {
    meta: { field: 'content' },
  });

/**
 * `undefined`: no such line.
 * @throws Fault invalid_argument for one that cannot be meant, so that its person learns it before anything begins.
 */
export const readScheduleCommand = (content: string): ScheduleCommand | undefined => {
  const text = content.trim();
  const found = COMMAND.exec(text);
  if (!found) return undefined;
  const name = found[1] as 'loop' | 'goal';
  let rest = text.slice(found[0].length);
  if (rest === 'stop') return { name: `stop_${name}`, everySeconds: 0, line: '' };
  const interval = name === 'loop' ? INTERVAL.exec(rest) : null;
  let everySeconds = 0;
  if (interval) {
    everySeconds = Number(interval[1]) * (SECONDS[interval[2] ?? ''] ?? 0);
    if (everySeconds < SHORTEST || everySeconds > LONGEST)
      throw refuse(`A loop is asked again after ${SHORTEST} seconds to 7 days, not after ${interval[0].trim()}.`, name);
    rest = rest.slice(interval[0].length);
  } else if (name === 'loop' && /^[0-9]/.test(rest)) {
    throw refuse(`"${rest.split(/\s/, 1)[0]?.slice(0, 40)}" is no interval.`, name);
  }
  const spelt = /^--(?=\s|$)\s*/.exec(rest);
  const line = spelt ? rest.slice(spelt[0].length) : rest;
  if (line === '') throw refuse('There is no line to ask.', name);
  if (!spelt && line.startsWith('/')) throw refuse('A command is not asked again.', name);
  return { name, everySeconds, line };
};
