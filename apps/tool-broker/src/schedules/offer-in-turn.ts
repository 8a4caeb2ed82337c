/** Which tools the turn that runs is offered: a later look only where it can happen, a watch only where it can be told of. */
import type { ScheduleStore } from './schedule.ts';

export type IsOfferedInTurn = (tool: string, conversationId: string) => Promise<boolean>;

/** A list of tools is one of a conversation, read once by most clients; so the call is what the turn decides. */
export const createIsOfferedInTurn =
  (schedules: Pick<ScheduleStore, 'currentTurn'>): IsOfferedInTurn =>
  async (tool, conversationId) => {
    if (tool !== 'schedule_next' && tool !== 'watch_file') return true;
    const turn = await schedules.currentTurn(conversationId);
    if (turn === undefined) return false;
    if (tool === 'watch_file') return turn.lineFits || turn.schedule !== undefined;
    const { schedule } = turn;
    if (schedule !== undefined) return schedule.kind === 'loop' && schedule.everySeconds === 0;
    return turn.origin === 'person' && turn.lineFits;
  };
