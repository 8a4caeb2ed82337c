/** One schedule as its row holds it, and what the trail and the stream are told of its changes, in the transaction of the change. */
import { agentActor, type Outbox, serviceActor, userActor } from '@bravo/events';
import type { BrokerTransaction } from '../databases/broker-database.prisma.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import { addNotices } from '../turn-notices/turn-notices.prisma.ts';
import { type EndReason, isEndReason } from './end-reasons.ts';
import { KINDS, type Owner, type Schedule } from './schedule.ts';
import { tellBegan, tellEnded } from './tell-schedules.ts';

type Row = Prisma.ScheduleGetPayload<object>;
export type Events = Pick<Outbox, 'appendEvent' | 'appendWork' | 'dropWork'>;

/** @throws for a row nobody here wrote: what it would ask for is then not known. */
export const toSchedule = (row: Row): Schedule => {
  const kind = KINDS.find((known) => known === row.kind);
  if (kind === undefined) throw new Error(`the schedule ${row.id} has an unknown kind`);
  return {
    ...row,
    kind,
    live: row.status === 'live',
    nextSeconds: row.nextSeconds ?? undefined,
    dueAt: row.dueAt ?? undefined,
    endedAt: row.endedAt ?? undefined,
    endReason: isEndReason(row.endReason) ? row.endReason : '',
  };
};

/** One after another: two lines of one conversation never begin two loops. */
export const holdSchedules = async (tx: BrokerTransaction, conversationId: string): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`schedules ${conversationId}`}))`;
};

export interface NewSchedule extends Owner {
  readonly id: string;
  readonly kind: Schedule['kind'];
  readonly line: string;
  readonly everySeconds: number;
  readonly toolCallId: string | undefined;
  /** The turn it begins with; '' for a watch. */
  readonly tick: string;
  readonly nextSeconds?: number;
  readonly file?: { readonly path: string; readonly landing: string; readonly token: string };
  readonly ageSeconds: number;
}

export const insertSchedule = async (tx: BrokerTransaction, outbox: Events, made: NewSchedule): Promise<void> => {
  const { conversationId, workspaceId, userId, kind, toolCallId } = made;
  const file = made.file ?? { path: '', landing: '', token: '' };
  const fires = kind === 'watch' ? 0 : 1;
  const [row] = await tx.$queryRaw<{ expiresAt: Date }[]>`
    INSERT INTO "broker"."schedule" ("id", "conversation_id", "workspace_id", "user_id", "kind", "line", "every_seconds", "path", "landing",
      "token", "tool_call_id", "tick", "next_seconds", "fires", "looked_at", "expires_at")
    VALUES (${made.id}, ${conversationId}, ${workspaceId}, ${userId}, ${kind}, ${made.line}, ${made.everySeconds}::int, ${file.path},
      ${file.landing}, ${file.token}, ${toolCallId ?? null}, ${made.tick}, ${made.nextSeconds ?? null}::int, ${fires}::int, now(),
      now() + make_interval(secs => ${made.ageSeconds}::double precision))
    RETURNING "expires_at" AS "expiresAt"`;
  await outbox.appendEvent(tx, {
    type: 'agent.schedule.started',
    workspace: workspaceId,
    conversation: conversationId,
    ...(toolCallId === undefined
      ? { actor: userActor(userId) }
      : { actor: agentActor(userId), onBehalfOf: userId, causation: toolCallId }),
    data: {
      schedule_id: made.id,
      kind,
      source: toolCallId === undefined ? 'person' : 'agent',
      ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
      every_seconds: made.everySeconds,
      expires_at: row!.expiresAt.toISOString(),
    },
  });
  await tellStream(tx, made, `${made.id}-began`, tellBegan({ ...made, path: file.path }));
};

/** Ends what lives, once. @returns false where it had ended. */
export const endSchedule = async (
  tx: BrokerTransaction,
  outbox: Pick<Events, 'appendEvent' | 'dropWork'>,
  id: string,
  reason: EndReason,
): Promise<boolean> => {
  const [row] = await tx.schedule.updateManyAndReturn({
    where: { id, status: 'live' },
    data: { status: 'ended', endedAt: new Date(), endReason: reason, dueAt: null },
  });
  if (row === undefined) return false;
  // Work that no stream was given yet makes no turn any more; work that was is answered when its turn begins.
  if (row.fires > 0) await outbox.dropWork(tx, [workIdOf(row)]);
  const byPerson = reason === 'person' || reason === 'turn_stopped';
  await outbox.appendEvent(tx, {
    type: 'agent.schedule.ended',
    workspace: row.workspaceId,
    conversation: row.conversationId,
    ...(byPerson ? { actor: userActor(row.userId) } : { actor: serviceActor('broker'), onBehalfOf: row.userId }),
    data: { schedule_id: id, kind: toSchedule(row).kind, reason, fires: row.fires },
  });
  if (reason !== 'conversation_ended') await tellStream(tx, row, `${id}-ended`, tellEnded(toSchedule(row), reason));
  return true;
};

/** One for each time it fires. */
export const workIdOf = ({ id, fires }: Pick<Schedule, 'id' | 'fires'>): string => `wrk_${id}_${fires}`;

const MAX_NOTICE = 1_000;

const tellStream = (
  tx: BrokerTransaction,
  { conversationId, workspaceId }: Owner,
  id: string,
  text: string,
): Promise<void> =>
  addNotices(tx, conversationId, workspaceId, [
    { event: 'notice', data: { id, kind: 'schedule_changed', text: text.slice(0, MAX_NOTICE) } },
  ]);
