/** BeginTurn and EndTurn of the orchestrator, ListSchedules and CancelSchedule of the person, on the wire. */
import type { Handlers, Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { BrokerServiceService, Schedule as WireSchedule } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import { END_REASONS } from './end-reasons.ts';
import type { EndTurn } from './end-turn.ts';
import type { BegunTurn, Command, EndedTurn, Owner, Schedule, ScheduleStore } from './schedule.ts';

type Methods = 'beginTurn' | 'endTurn' | 'listSchedules' | 'cancelSchedule';

export const scheduleHandlers = ({
  schedules,
  conversations,
  endTurn,
  tell,
}: {
  readonly schedules: Pick<ScheduleStore, 'beginTurn' | 'list' | 'end'>;
  readonly conversations: Pick<ConversationStore, 'find'>;
  readonly endTurn: EndTurn;
  tell(conversationId: string): Promise<void>;
}): Pick<Handlers<typeof BrokerServiceService>, Methods> => {
  /** @throws Fault not_found for a conversation of somebody else. */
  const ownerOf = async (principal: Principal, conversationId: string): Promise<Owner> => {
    const owner = { ...personOf(principal), conversationId };
    const conversation = await conversations.find(conversationId);
    if (conversation === undefined || !isOwnedBy(conversation, owner))
      throw new Fault('not_found', 'There is no such conversation.');
    return owner;
  };
  return {
    beginTurn: async ({ conversationId, turnId, origin, workId, line, command, everySeconds }, { principal }) => {
      const owner = await ownerOf(principal, conversationId);
      const answer = await schedules.beginTurn({
        ...owner,
        ...{ turnId, workId, line },
        origin: readOrigin(origin),
        command: readCommand(command, everySeconds),
      });
      await tell(conversationId);
      return { answer };
    },
    endTurn: async ({ conversationId, turnId, workId, status, errorCode, answer }, { principal }) => {
      const owner = await ownerOf(principal, conversationId);
      const needsAnswer = await endTurn({ ...owner, turnId, workId, status: readStatus(status), errorCode }, answer);
      await tell(conversationId);
      return { needsAnswer };
    },
    listSchedules: async ({ conversationId }, { principal }) => {
      await ownerOf(principal, conversationId);
      return { schedules: (await schedules.list(conversationId)).map(toWire) };
    },
    cancelSchedule: async ({ conversationId, scheduleId }, { principal }) => {
      const owner = await ownerOf(principal, conversationId);
      if (!(await schedules.end(owner, scheduleId, 'person')))
        throw new Fault('not_found', 'There is no such loop, goal or watch in this conversation.');
      await tell(conversationId);
      return {};
    },
  };
};

const readOrigin = (origin: string): BegunTurn['origin'] =>
  origin === 'person' || origin === 'schedule' ? origin : 'other';

const readCommand = (name: string, everySeconds: number): Command | undefined => {
  if (name === 'loop') return { name, everySeconds };
  return name === 'goal' || name === 'stop_loop' || name === 'stop_goal' ? { name } : undefined;
};

const STATUSES = ['completed', 'failed', 'cancelled', 'interrupted', 'dropped'] as const;

const readStatus = (status: string): EndedTurn['status'] => {
  const known = STATUSES.find((one) => one === status);
  if (known === undefined) throw new Fault('invalid_argument', 'A turn does not end like that.');
  return known;
};

const toWire = (schedule: Schedule): WireSchedule => ({
  id: schedule.id,
  conversationId: schedule.conversationId,
  kind: schedule.kind,
  status: schedule.live ? 'live' : 'ended',
  line: schedule.line,
  everySeconds: schedule.everySeconds,
  path: schedule.path,
  fires: schedule.fires,
  quiet: schedule.quiet,
  dueAt: schedule.dueAt,
  expiresAt: schedule.expiresAt,
  createdAt: schedule.createdAt,
  endedAt: schedule.endedAt,
  endReason: schedule.endReason,
  endText: schedule.endReason === '' ? '' : END_REASONS[schedule.endReason],
});
