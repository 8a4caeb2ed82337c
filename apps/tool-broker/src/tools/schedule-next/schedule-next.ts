/** Notes when the line of the present turn is asked again. The wait is held between a minute and an hour, and the planner is told the number that holds. */
import { NEXT_SECONDS } from '../../manifests/schedule-next.ts';
import { type Execute, failed } from '../effect.ts';

export const scheduleNext: Execute = async ({ call, who, toolCallId }, { schedules }) => {
  const asked = Number(call.arguments['delay_seconds']);
  const seconds = Math.min(Math.max(asked, NEXT_SECONDS.least), NEXT_SECONDS.most);
  const taken = await schedules.scheduleNext(who, toolCallId, { seconds, noop: call.arguments['noop'] === true });
  if ('refused' in taken) return failed('conflict', taken.refused);
  const held =
    seconds === asked
      ? ''
      : ` You asked for ${asked}; a wait is between ${NEXT_SECONDS.least} and ${NEXT_SECONDS.most} seconds.`;
  const began = taken.began ? 'A loop over the line of this turn has begun. It' : 'The line of this turn';
  const summary = [`${began} is asked again ${seconds} seconds after this turn has ended.${held}`];
  return { status: 'completed', summary, outputs: [] };
};
