/**
 * The ledger in Postgres. Reserving and settling are one statement each, so that each is all or nothing and holds its locks
 * for one round trip; both lock windows in the order of their keys and then the account, so that none waits in a circle.
 */
import type { Database } from '../databases/database.prisma.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { CallEnd, CallLedger, HeldCall, NewCall } from './call-ledger.ts';
import { chargeAccount, openAccount, takeCredits } from './credit-accounts.prisma.ts';

export const createCallLedger = (database: Database, now: () => Date, newId: () => string): CallLedger => ({
  reserve: async (call) => {
    const held: HeldCall = { ...call, id: newId() };
    try {
      await retried(() => database.$queryRaw(reserveStatement(held, now())));
      return held;
    } catch (error) {
      if (isNoRoom(error)) return undefined;
      throw error;
    }
  },
  settle: (call, end) => retried(() => database.$queryRaw(settleStatement(call, end, now()))).then(() => undefined),
  sweep: async (at) => {
    const lost = await database.modelCall.findMany({
      where: { status: 'started', expiresAt: { lt: at } },
      take: 200,
    });
    for (const row of lost) {
      const held = row.windows.map((key) => ({ key, unit: key.includes('Cents:') ? 'micros' : 'tokens' }) as const);
      const call = {
        ...{ id: row.id, workspaceId: row.workspaceId, tokens: row.reservedTokens },
        ...{ micros: Number(row.reservedMicros), credits: row.reservedCredits },
      };
      const end = { status: 'expired', failure: 'expired', model: row.model } as const;
      const counts = { inputTokens: null, outputTokens: null };
      const charged = {
        chargedTokens: row.estimatedInput,
        micros: null,
        credits: row.reservedCredits > 0 ? row.estimatedInput : 0,
      };
      await database.$queryRaw(
        settleStatement(
          { ...call, windows: held.map((w) => ({ ...w, bound: 0 })) },
          { ...end, usage: counts, ...charged },
          at,
        ),
      );
    }
    await database.quotaWindow.deleteMany({
      where: { reserved: 0n, updatedAt: { lt: new Date(at.getTime() - KEEP_WINDOWS_MS) } },
    });
    return lost.length;
  },
  readWindows: async (keys) => {
    const rows = await database.quotaWindow.findMany({ where: { key: { in: [...keys] } } });
    return new Map(rows.map(({ key, used, reserved }) => [key, { used: Number(used), reserved: Number(reserved) }]));
  },
  openAccount: (terms) => openAccount(database, terms),
  chargeContainer: (terms, reference, credits) => chargeAccount(database, terms, 'container_time', reference, credits),
  grant: (terms, reference, credits) => chargeAccount(database, terms, 'grant', reference, -credits),
  lastPrompt: async (workspaceId, conversationId) => {
    const row = await database.modelCall.findFirst({
      // A pod's: what is asked on the side has no pod.
      where: { workspaceId, conversationId, podId: { not: '' } },
      orderBy: { startedAt: 'desc' },
      select: { inputTokens: true, estimatedInput: true },
    });
    return row ? { tokens: row.inputTokens ?? row.estimatedInput, measured: row.inputTokens !== null } : undefined;
  },
  list: async (workspaceId, from, to) => {
    const rows = await database.modelCall.groupBy({
      by: ['day', 'userId', 'model', 'conversationId', 'status'],
      where: { workspaceId, startedAt: { gte: from, lt: to } },
      _sum: { inputTokens: true, outputTokens: true, costMicros: true, credits: true },
      _count: { _all: true },
      orderBy: [{ day: 'asc' }, { userId: 'asc' }, { model: 'asc' }],
    });
    return rows.map(({ day, userId, model, conversationId, status, _sum, _count }) => ({
      day: day.toISOString().slice(0, 10),
      userId,
      model,
      conversationId,
      inputTokens: _sum.inputTokens ?? 0,
      outputTokens: _sum.outputTokens ?? 0,
      costMicros: Number(_sum.costMicros ?? 0n),
      credits: _sum.credits ?? 0,
      requests: _count._all,
      failed: status === 'failed' || status === 'expired' ? _count._all : 0,
    }));
  },
});

/** A conversation's window outlives its last call by this; a day's and a month's are over by then. */
const KEEP_WINDOWS_MS = 400 * 86_400_000;

/** Windows in whose rows something is held: those with a bound. */
const heldIn = ({ windows }: Pick<NewCall, 'windows'>) => windows.filter(({ bound }) => bound !== undefined);

function reserveStatement(call: HeldCall, at: Date): Prisma.Sql {
  const held = heldIn(call);
  const amountOf = (unit: 'tokens' | 'micros'): number => (unit === 'tokens' ? call.tokens : call.micros);
  const keys = held.map(({ key }) => key);
  const amounts = held.map(({ unit }) => BigInt(amountOf(unit)));
  const bounds = held.map(({ bound }) => BigInt(bound ?? 0));
  const day = at.toISOString().slice(0, 10);
  return Prisma.sql`
    WITH wanted AS (
      SELECT * FROM unnest(${keys}::text[], ${amounts}::bigint[], ${bounds}::bigint[]) AS w(key, amount, bound)
      WHERE amount <= bound ORDER BY key
    ), taken AS (
      INSERT INTO quota_windows AS q (key, reserved, bound) SELECT key, amount, bound FROM wanted
      ON CONFLICT (key) DO UPDATE
        SET reserved = q.reserved + excluded.reserved, bound = excluded.bound, updated_at = now()
        WHERE q.used + q.reserved + excluded.reserved <= excluded.bound
      RETURNING 1
    ), paid AS (
      UPDATE credit_accounts SET reserved = reserved + ${BigInt(call.credits)}::bigint, updated_at = now()
      WHERE workspace_id = ${call.workspaceId} AND ${call.credits}::int > 0 AND (SELECT count(*) FROM taken) = ${keys.length}::int
        AND (unlimited OR plan_granted - plan_used + trial_granted - trial_used + purchased_granted - purchased_used - reserved
          >= ${BigInt(call.credits)}::bigint)
      RETURNING 1
    ), written AS (
      INSERT INTO model_calls (id, workspace_id, user_id, conversation_id, root_conversation_id, pod_id, model, status,
        reserved_tokens, reserved_micros, reserved_credits, windows, estimated_input, expires_at, day, started_at)
      SELECT ${call.id}, ${call.workspaceId}, ${call.userId}, ${call.conversationId}, ${call.rootConversationId},
        ${call.podId}, ${call.model}, 'started', ${call.tokens}::int, ${BigInt(call.micros)}::bigint, ${call.credits}::int,
        ${keys}::text[], ${call.estimatedInput}::int, ${call.expiresAt}, ${day}::date, ${at}
      WHERE (SELECT count(*) FROM taken) = ${keys.length}::int
        AND (SELECT count(*) FROM paid) = ${call.credits > 0 ? 1 : 0}::int
      RETURNING 1
    )
    -- Without room there is no row, and a division by none takes back what was taken: one statement is all or nothing.
    SELECT 1 / (SELECT count(*) FROM written) AS granted`;
}

type Settled = Pick<HeldCall, 'id' | 'workspaceId' | 'tokens' | 'micros' | 'credits'> & {
  readonly windows: readonly {
    readonly key: string;
    readonly unit: 'tokens' | 'micros';
    readonly bound: number | undefined;
  }[];
};
type SettledEnd = Omit<CallEnd, 'status'> & { readonly status: CallEnd['status'] | 'expired' };

function settleStatement(call: Settled, end: SettledEnd, at: Date): Prisma.Sql {
  const { windows } = call;
  const used = windows.map(({ unit }) => BigInt(unit === 'tokens' ? end.chargedTokens : (end.micros ?? 0)));
  const released = windows.map(({ unit, bound }) =>
    bound === undefined ? 0n : BigInt(unit === 'tokens' ? call.tokens : call.micros),
  );
  return Prisma.sql`
    WITH ended AS (
      UPDATE model_calls SET status = ${end.status}, failure = ${end.failure ?? null}, model = ${end.model},
        input_tokens = ${end.usage.inputTokens}, output_tokens = ${end.usage.outputTokens},
        charged_tokens = ${end.chargedTokens}::int, cost_micros = ${end.micros === null ? null : BigInt(end.micros)}::bigint,
        credits = ${end.credits}::int, finished_at = ${at}
      WHERE id = ${call.id} AND status = 'started' RETURNING id
    ), counted AS (
      INSERT INTO quota_windows AS q (key, used, reserved)
      SELECT w.key, w.used, w.released FROM ended,
        unnest(${windows.map(({ key }) => key)}::text[], ${used}::bigint[], ${released}::bigint[]) AS w(key, used, released)
      WHERE w.used > 0 OR w.released > 0 ORDER BY w.key
      ON CONFLICT (key) DO UPDATE
        SET used = q.used + excluded.used, reserved = greatest(0, q.reserved - excluded.reserved), updated_at = now()
      RETURNING 1
    ), ${takeCredits({
      workspaceId: call.workspaceId,
      operation: 'model_call',
      reference: call.id,
      credits: end.credits,
      released: call.credits,
      // Read after the windows are locked, in the same order as a reservation.
      when: Prisma.sql`EXISTS (SELECT 1 FROM ended) AND (SELECT count(*) FROM counted) >= 0`,
    })}
    SELECT 1`;
}

/** The one division in the statement was by none. */
const isNoRoom = (error: unknown): boolean => /22012|division by zero/.test(String((error as Error | null)?.message));

/** Two that met in the wrong order, or a window that was made twice at once: the second time there is nobody to meet. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 4 || !/40P01|40001|deadlock/.test(String((error as Error | null)?.message))) throw error;
    }
  }
}
