/** Schedules in Postgres. A due time and the work it makes are one transaction, so a crash leaves both or neither; times are the database's, so no two replicas disagree about one. */
import { serviceActor } from '@bravo/events';
import { holdOpen } from '../conversations/hold-open.prisma.ts';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import { endSchedule, type Events, holdSchedules, toSchedule, workIdOf } from './schedule-rows.prisma.ts';
import { LIMITS } from '@bravo/policy';
import type { Schedule, ScheduleStore } from './schedule.ts';
import { createScheduleTurns } from './schedule-turns.prisma.ts';
import { promptOf } from './tell-schedules.ts';

const BATCH = 50;
const SHOWN_ENDED = 20;
/** A look comes at least every `watch-look` seconds; the rounds themselves are up to a second apart. */
const LOOK_SECONDS = LIMITS['watch-look'].value - 2;
const FIRE_SECONDS = LIMITS['watch-fire'].value;

export const createScheduleStore = (
  database: BrokerDatabase,
  outbox: Events,
  newScheduleId: () => string,
): ScheduleStore => {
  /** Also in a transaction that cannot write the work or the event: then nothing fired. */
  const fire = (schedule: Schedule, token: string | undefined): Promise<boolean> =>
    database.$transaction(async (tx) => {
      await holdOpen(tx, schedule.conversationId);
      const fires = schedule.fires + 1;
      const workId = workIdOf({ id: schedule.id, fires });
      const marked =
        token === undefined
          ? await tx.$executeRaw`
              UPDATE "broker"."schedule" SET "due_at" = NULL, "tick" = ${workId}, "fires" = ${fires}::int, "fired_at" = now(), "next_seconds" = NULL
              WHERE "id" = ${schedule.id} AND "status" = 'live' AND "fires" = ${schedule.fires}::int AND "tick" = '' AND "due_at" <= now()`
          : await tx.$executeRaw`
              UPDATE "broker"."schedule" SET "token" = ${token}, "tick" = ${workId}, "fires" = ${fires}::int, "fired_at" = now()
              WHERE "id" = ${schedule.id} AND "status" = 'live' AND "fires" = ${schedule.fires}::int AND "tick" = '' AND "token" = ${schedule.token}
                AND ("fired_at" IS NULL OR "fired_at" <= now() - make_interval(secs => ${FIRE_SECONDS}::double precision))`;
      if (marked !== 1) return false;
      const { workspaceId, conversationId, userId, kind } = schedule;
      await outbox.appendWork(tx, {
        work_id: workId,
        workspace_id: workspaceId,
        conversation_id: conversationId,
        user_id: userId,
        reason: 'schedule_due',
        prompt: promptOf(schedule),
      });
      await outbox.appendEvent(tx, {
        type: 'agent.schedule.fired',
        workspace: workspaceId,
        conversation: conversationId,
        actor: serviceActor('broker'),
        onBehalfOf: userId,
        data: { schedule_id: schedule.id, kind, work_id: workId, fires },
      });
      return true;
    });

  return {
    ...createScheduleTurns(database, outbox, newScheduleId),
    list: async (conversationId) => {
      const where = { conversationId };
      const live = await database.schedule.findMany({
        where: { ...where, status: 'live' },
        orderBy: { createdAt: 'asc' },
      });
      const ended = await database.schedule.findMany({
        where: { ...where, status: 'ended' },
        orderBy: { endedAt: 'desc' },
        take: SHOWN_ENDED,
      });
      return [...live, ...ended].map(toSchedule);
    },
    end: ({ conversationId, workspaceId, userId }, id, reason) =>
      database.$transaction(async (tx) => {
        const owner = { conversationId, workspaceId, userId };
        if ((await tx.schedule.count({ where: { id, ...owner } })) === 0) return false;
        await endSchedule(tx, outbox, id, reason);
        return true;
      }),
    due: async () => {
      const rows = await database.$queryRaw<{ id: string }[]>`
        SELECT "id" FROM "broker"."schedule" WHERE "status" = 'live' AND "due_at" <= now() AND "expires_at" > now()
        ORDER BY "due_at" LIMIT ${BATCH}::int`;
      return schedulesOf(database, rows);
    },
    fire: (schedule) => fire(schedule, undefined),
    takeLooks: async () => {
      const rows = await database.$queryRaw<{ id: string }[]>`
        UPDATE "broker"."schedule" SET "looked_at" = now() WHERE "id" IN (
          SELECT "id" FROM "broker"."schedule" WHERE "status" = 'live' AND "kind" = 'watch' AND "tick" = '' AND "expires_at" > now()
            AND "looked_at" <= now() - make_interval(secs => ${LOOK_SECONDS}::double precision)
          ORDER BY "looked_at" LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED)
        RETURNING "id"`;
      return schedulesOf(database, rows);
    },
    fireWatch: (schedule, token) => fire(schedule, token),
    endOld: async () => {
      const rows = await database.$queryRaw<{ id: string; conversationId: string }[]>`
        SELECT "id", "conversation_id" AS "conversationId" FROM "broker"."schedule"
        WHERE "status" = 'live' AND "expires_at" <= now() ORDER BY "expires_at" LIMIT ${BATCH}::int`;
      for (const { id, conversationId } of rows)
        await database.$transaction(async (tx) => {
          await holdSchedules(tx, conversationId);
          await endSchedule(tx, outbox, id, 'age');
        });
    },
  };
};

const schedulesOf = async (database: BrokerDatabase, rows: readonly { id: string }[]): Promise<readonly Schedule[]> => {
  if (rows.length === 0) return [];
  const found = await database.schedule.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    orderBy: { dueAt: 'asc' },
  });
  return found.map(toSchedule);
};
