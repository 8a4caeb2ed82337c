/** How turns and schedules hang together: whose line a turn is, what it begins, and what goes on when it has ended. Each change is one transaction and is taken once. */
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import type { BrokerDatabase, BrokerTransaction } from '../databases/broker-database.prisma.ts';
import { afterTurn } from './after-turn.ts';
import { END_REASONS, isEndReason } from './end-reasons.ts';
import { endSchedule, type Events, holdSchedules, insertSchedule, toSchedule } from './schedule-rows.prisma.ts';
import {
  AGE_SECONDS,
  type BegunTurn,
  MAX_LINE_BYTES,
  MAX_WATCHES,
  type Owner,
  type Schedule,
  type ScheduleStore,
} from './schedule.ts';

type Turns = Pick<ScheduleStore, 'beginTurn' | 'ofTurn' | 'endTurn' | 'currentTurn' | 'scheduleNext' | 'watch'>;

export const createScheduleTurns = (database: BrokerDatabase, outbox: Events, newScheduleId: () => string): Turns => ({
  beginTurn: (turn) =>
    database.$transaction(async (tx) => {
      const { conversationId, turnId, origin } = turn;
      await holdOpen(tx, conversationId);
      await holdSchedules(tx, conversationId);
      const known = await tx.currentTurn.findUnique({ where: { conversationId } });
      if (known?.turnId === turnId) return '';
      const { scheduleId, answer } = await takeUp(tx, outbox, turn, newScheduleId);
      if (answer !== '') {
        await tx.currentTurn.deleteMany({ where: { conversationId } });
        return answer;
      }
      const line = origin === 'person' && Buffer.byteLength(turn.line) <= MAX_LINE_BYTES ? turn.line : '';
      const row = { turnId, origin, line, scheduleId };
      await tx.currentTurn.upsert({ where: { conversationId }, create: { conversationId, ...row }, update: row });
      return '';
    }),
  ofTurn: async ({ conversationId, turnId, workId }) => {
    const row = await database.schedule.findFirst({
      where: { conversationId, status: 'live', tick: { in: ticksOf(turnId, workId) } },
    });
    return row === null ? undefined : toSchedule(row);
  },
  endTurn: (turn, findings) =>
    database.$transaction(async (tx) => {
      const { conversationId, turnId, workId } = turn;
      await holdSchedules(tx, conversationId);
      await tx.currentTurn.deleteMany({ where: { conversationId, turnId } });
      // It carries the person's words, and has become what it was to become.
      if (workId !== '') await outbox.dropWork(tx, [workId]);
      const row = await tx.schedule.findFirst({
        where: { conversationId, status: 'live', tick: { in: ticksOf(turnId, workId) } },
      });
      if (row === null) return;
      const after = afterTurn(toSchedule(row), turn, findings);
      if ('ends' in after) {
        await endSchedule(tx, outbox, row.id, after.ends);
        return;
      }
      const { silent, failures, dueInSeconds } = after;
      await tx.$executeRaw`
        UPDATE "broker"."schedule" SET "tick" = '', "silent" = ${silent}::int, "failures" = ${failures}::int, "next_seconds" = NULL,
          "due_at" = ${dueInSeconds ?? null}::double precision * interval '1 second' + now()
        WHERE "id" = ${row.id}`;
    }),
  currentTurn: async (conversationId) => {
    const turn = await database.currentTurn.findUnique({ where: { conversationId } });
    if (turn === null) return undefined;
    const row =
      turn.scheduleId === null ? null : await database.schedule.findUnique({ where: { id: turn.scheduleId } });
    return {
      origin: turn.origin,
      schedule: row === null || row.status !== 'live' ? undefined : toSchedule(row),
      lineFits: turn.line !== '',
    };
  },
  scheduleNext: (owner, toolCallId, { seconds, noop }) =>
    database.$transaction(async (tx) => {
      const { conversationId } = owner;
      await holdOpen(tx, conversationId);
      await holdSchedules(tx, conversationId);
      const turn = await tx.currentTurn.findUnique({ where: { conversationId } });
      if (turn === null) return { refused: 'The turn of this call is over, so no later look can be asked for.' };
      if (turn.scheduleId !== null) {
        const row = await tx.schedule.findUniqueOrThrow({ where: { id: turn.scheduleId } });
        if (row.status !== 'live' || row.kind !== 'loop' || row.everySeconds > 0)
          return { refused: 'Nothing asks this turn again.' };
        // Said twice in one turn, the second word counts, and a look counts once.
        const quiet = noop ? row.quiet + (row.nextSeconds === null ? 1 : 0) : 0;
        await tx.schedule.update({ where: { id: row.id }, data: { nextSeconds: seconds, quiet } });
        return { began: false };
      }
      const busy = await findBusy(tx, conversationId, true);
      if (busy !== undefined) return { refused: busy };
      if (turn.origin !== 'person' || turn.line === '') return { refused: 'Nothing asks this turn again.' };
      const id = newScheduleId();
      await insertSchedule(tx, outbox, {
        ...ownerOf(owner),
        ...{ id, kind: 'loop', line: turn.line, everySeconds: 0, toolCallId, tick: turn.turnId, nextSeconds: seconds },
        ageSeconds: AGE_SECONDS.loop,
      });
      await tx.currentTurn.update({ where: { conversationId }, data: { scheduleId: id } });
      return { began: true };
    }),
  watch: (owner, toolCallId, file) =>
    database.$transaction(async (tx) => {
      const { conversationId } = owner;
      await holdOpen(tx, conversationId);
      await holdSchedules(tx, conversationId);
      const live = await tx.schedule.count({ where: { conversationId, status: 'live', kind: 'watch' } });
      if ((await tx.schedule.count({ where: { toolCallId } })) > 0) return { live };
      const busy = await findBusy(tx, conversationId, false);
      if (busy !== undefined) return { refused: busy };
      const again = { conversationId, status: 'live', kind: 'watch', landing: file.landing };
      if ((await tx.schedule.count({ where: again })) > 0) return { refused: 'That file is watched already.' };
      if (live >= MAX_WATCHES)
        return { refused: `This conversation holds ${MAX_WATCHES} watches already, which is as many as it keeps.` };
      const turn = await tx.currentTurn.findUnique({ where: { conversationId } });
      if (turn === null) return { refused: 'The turn of this call is over, so nothing can be watched for it.' };
      const armed = turn.scheduleId === null ? null : await tx.schedule.findUnique({ where: { id: turn.scheduleId } });
      await insertSchedule(tx, outbox, {
        ...ownerOf(owner),
        ...{
          id: newScheduleId(),
          kind: 'watch',
          line: armed?.line ?? turn.line,
          everySeconds: 0,
          toolCallId,
          tick: '',
          file,
        },
        ageSeconds: AGE_SECONDS.watch,
      });
      return { live: live + 1 };
    }),
});

/** A turn is known by its work until it begins. */
const ticksOf = (turnId: string, workId: string): string[] => [turnId, workId].filter((tick) => tick !== '');

const ownerOf = ({ conversationId, workspaceId, userId }: Owner): Owner => ({ conversationId, workspaceId, userId });

/** What stands in the way of another, in words for whoever asked. */
const findBusy = async (
  tx: BrokerTransaction,
  conversationId: string,
  watchesToo: boolean,
): Promise<string | undefined> => {
  const live = await tx.schedule.findMany({ where: { conversationId, status: 'live' } });
  if (live.some(({ kind }) => kind === 'loop')) return 'A loop runs in this conversation already.';
  if (live.some(({ kind }) => kind === 'goal')) return 'This conversation works towards a goal already.';
  return watchesToo && live.length > 0
    ? 'This conversation watches a file already; a loop is not begun beside it.'
    : undefined;
};

interface TakenUp {
  readonly scheduleId: string | null;
  readonly answer: string;
}

const takeUp = async (
  tx: BrokerTransaction,
  outbox: Events,
  turn: BegunTurn,
  newScheduleId: () => string,
): Promise<TakenUp> => {
  const { conversationId, turnId, command } = turn;
  const answered = (answer: string): TakenUp => ({ scheduleId: null, answer });
  if (turn.origin === 'schedule') {
    const [row] = await tx.schedule.updateManyAndReturn({
      where: { conversationId, status: 'live', tick: turn.workId },
      data: { tick: turnId },
    });
    if (row !== undefined) return { scheduleId: row.id, answer: '' };
    const over = await tx.schedule.findFirst({
      where: { conversationId },
      orderBy: { endedAt: { sort: 'desc', nulls: 'last' } },
    });
    const why = over !== null && isEndReason(over.endReason) ? ` ${END_REASONS[over.endReason]}` : '';
    return answered(`This is not asked again.${why}`);
  }
  if (turn.origin !== 'person' || command === undefined) return { scheduleId: null, answer: '' };
  if (command.name === 'stop_loop' || command.name === 'stop_goal') {
    const kind: Schedule['kind'] = command.name === 'stop_loop' ? 'loop' : 'goal';
    const row = await tx.schedule.findFirst({ where: { conversationId, status: 'live', kind } });
    if (row === null) return answered(`No ${kind} runs in this conversation.`);
    await endSchedule(tx, outbox, row.id, 'person');
    return answered(`The ${kind} has ended. ${END_REASONS.person}`);
  }
  const busy = await findBusy(tx, conversationId, true);
  if (busy !== undefined) return answered(`Nothing was begun. ${busy} Stop it first.`);
  if (Buffer.byteLength(turn.line) > MAX_LINE_BYTES)
    return answered(`Nothing was begun. A line that is asked again may have ${MAX_LINE_BYTES} bytes.`);
  const id = newScheduleId();
  await insertSchedule(tx, outbox, {
    ...ownerOf(turn),
    ...{ id, kind: command.name, line: turn.line, everySeconds: command.name === 'loop' ? command.everySeconds : 0 },
    ...{ toolCallId: undefined, tick: turnId },
    ageSeconds: AGE_SECONDS[command.name],
  });
  return { scheduleId: id, answer: '' };
};
