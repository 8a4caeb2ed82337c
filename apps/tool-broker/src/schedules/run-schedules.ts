/** The round that makes turns of what is due and looks at watched files. Every step may run on every replica: who comes second changes nothing. */
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CheckStanding } from './check-standing.ts';
import type { EndReason } from './end-reasons.ts';
import type { Schedule, ScheduleStore } from './schedule.ts';

export interface RunSchedulesParts {
  readonly schedules: Pick<ScheduleStore, 'due' | 'fire' | 'takeLooks' | 'fireWatch' | 'endOld' | 'end'>;
  readonly checkStanding: CheckStanding;
  readonly isReadDenied: (conversationId: string, paths: readonly string[]) => Promise<readonly boolean[]>;
  readonly sandbox: Pick<Sandbox, 'stat'>;
  /** The stream may be told now. */
  tell(conversationId: string): Promise<void>;
  readonly onError: (error: unknown, schedule: string) => void;
}

export interface ScheduleSteps {
  fireDue(): Promise<void>;
  lookAtFiles(): Promise<void>;
  endOld(): Promise<void>;
}

export const createScheduleSteps = (parts: RunSchedulesParts): ScheduleSteps => {
  const { schedules, checkStanding, tell, onError } = parts;
  const end = async (schedule: Schedule, reason: EndReason): Promise<void> => {
    await schedules.end(schedule, schedule.id, reason);
    await tell(schedule.conversationId);
  };
  const each = async (found: readonly Schedule[], work: (schedule: Schedule) => Promise<void>): Promise<void> => {
    await Promise.all(found.map((one) => work(one).catch((error: unknown) => onError(error, one.id))));
  };
  return {
    fireDue: async () =>
      each(await schedules.due(), async (schedule) => {
        const over = await checkStanding(schedule);
        if (over !== undefined) return end(schedule, over);
        if (await schedules.fire(schedule)) await tell(schedule.conversationId);
      }),
    lookAtFiles: async () =>
      each(await schedules.takeLooks(), async (schedule) => {
        const over = await checkStanding(schedule);
        if (over !== undefined) return end(schedule, over);
        const look = await lookAt(parts, schedule);
        if ('ends' in look) return end(schedule, look.ends);
        if (look.token !== schedule.token && (await schedules.fireWatch(schedule, look.token)))
          await tell(schedule.conversationId);
      }),
    endOld: () => schedules.endOld(),
  };
};

/** A link in the file's place leads to what nobody judged, so it is as good as gone. */
const lookAt = async (
  { sandbox, isReadDenied }: RunSchedulesParts,
  { landing, ...schedule }: Schedule,
): Promise<{ readonly token: string } | { readonly ends: EndReason }> => {
  const who = { ...schedule, podId: '', role: '', permissions: [] };
  const [denied] = await isReadDenied(schedule.conversationId, [landing]);
  if (denied !== false) return { ends: 'denied' };
  const facts = await sandbox.stat(who, landing);
  return facts.kind === 'file' && facts.landing === landing ? { token: facts.revision } : { ends: 'file_gone' };
};
