/**
 * The two statements that move room: reserving and settling, each for any number of calls of one workspace. Each is all
 * or nothing and holds its locks for one round trip; both lock windows in the order of their keys and then the account,
 * so that none waits in a circle.
 */
import { Prisma } from '../generated/prisma/client.ts';
import type { CallEnd, HeldCall, NewCall } from './call-ledger.ts';

/** Windows in whose rows something is held: those with a bound. */
const heldIn = ({ windows }: Pick<NewCall, 'windows'>) => windows.filter(({ bound }) => bound !== undefined);

const json = (rows: readonly object[]): Prisma.Sql => Prisma.sql`${JSON.stringify(rows)}::jsonb`;

/** All of them find room, or none does and the statement fails by dividing by none. */
export function reserveStatement(calls: readonly [HeldCall, ...HeldCall[]], at: Date): Prisma.Sql {
  const day = at.toISOString().slice(0, 10);
  const rows = calls.map((call) => ({
    id: call.id,
    user_id: call.userId,
    conversation_id: call.conversationId,
    root_conversation_id: call.rootConversationId,
    pod_id: call.podId,
    model: call.model,
    reserved_tokens: call.tokens,
    reserved_micros: call.micros,
    reserved_credits: call.credits,
    windows: heldIn(call).map(({ key }) => key),
    estimated_input: call.estimatedInput,
    expires_at: call.expiresAt.toISOString(),
  }));
  const wanted = calls.flatMap((call) =>
    heldIn(call).map(({ key, unit, bound }) => ({ key, bound, amount: unit === 'tokens' ? call.tokens : call.micros })),
  );
  const keys = new Set(wanted.map(({ key }) => key)).size;
  const credits = calls.reduce((sum, call) => sum + call.credits, 0);
  return Prisma.sql`
    WITH calls AS (
      SELECT * FROM jsonb_to_recordset(${json(rows)}) AS c(id text, user_id text, conversation_id text, root_conversation_id text,
        pod_id text, model text, reserved_tokens int, reserved_micros bigint, reserved_credits int, windows text[],
        estimated_input int, expires_at timestamptz)
    ), wanted AS (
      -- Of bounds that differ the smallest holds.
      SELECT key, sum(amount)::bigint AS amount, min(bound) AS bound
      FROM jsonb_to_recordset(${json(wanted)}) AS w(key text, amount bigint, bound bigint)
      GROUP BY key HAVING sum(amount) <= min(bound) ORDER BY key
    ), taken AS (
      INSERT INTO quota_windows AS q (key, reserved, bound) SELECT key, amount, bound FROM wanted
      ON CONFLICT (key) DO UPDATE
        SET reserved = q.reserved + excluded.reserved, bound = excluded.bound, updated_at = now()
        WHERE q.used + q.reserved + excluded.reserved <= excluded.bound
      RETURNING 1
    ), paid AS (
      UPDATE credit_accounts SET reserved = reserved + ${BigInt(credits)}::bigint, updated_at = now()
      WHERE workspace_id = ${calls[0].workspaceId} AND ${BigInt(credits)}::bigint > 0 AND (SELECT count(*) FROM taken) = ${keys}::int
        AND (unlimited OR plan_granted - plan_used + trial_granted - trial_used + purchased_granted - purchased_used - reserved
          >= ${BigInt(credits)}::bigint)
      RETURNING 1
    ), written AS (
      INSERT INTO model_calls (id, workspace_id, user_id, conversation_id, root_conversation_id, pod_id, model, status,
        reserved_tokens, reserved_micros, reserved_credits, windows, estimated_input, expires_at, day, started_at)
      SELECT id, ${calls[0].workspaceId}, user_id, conversation_id, root_conversation_id, pod_id, model, 'started',
        reserved_tokens, reserved_micros, reserved_credits, windows, estimated_input, expires_at, ${day}::date, ${at}
      FROM calls
      WHERE (SELECT count(*) FROM taken) = ${keys}::int
        AND (SELECT count(*) FROM paid) = ${credits > 0 ? 1 : 0}::int
      RETURNING 1
    )
    -- Without room there is no row, and a division by none takes back what was taken: one statement is all or nothing.
    SELECT 1 / (SELECT count(*) FROM written) AS granted`;
}

/** The one division in the statement was by none. */
export const isNoRoom = (error: unknown): boolean =>
  /22012|division by zero/.test(String((error as Error | null)?.message));

/** So is it with a settlement that comes near a limit. */
export const isNear = isNoRoom;

/** From here on most of a limit is used. */
const NEAR_PERCENT = 80;

export interface SettledCall {
  readonly call: Pick<
    HeldCall,
    'id' | 'workspaceId' | 'userId' | 'conversationId' | 'tokens' | 'micros' | 'credits'
  > & {
    readonly windows: readonly {
      readonly key: string;
      readonly unit: 'tokens' | 'micros';
      readonly bound: number | undefined;
    }[];
  };
  readonly end: Omit<CallEnd, 'status'> & { readonly status: CallEnd['status'] | 'expired' };
}

/** A window of which most is used, and nobody was told so yet. */
export interface NearWindow {
  readonly key: string;
  readonly used: bigint;
  readonly bound: bigint;
}

/**
 * Each call once, however often it is settled. Credits are taken from the buckets in order, call after call, with an entry for each.
 * Most settlements come near no limit and need no transaction around them: with `near` "fails" the statement fails (`isNear`) where
 * one does, and takes everything back; with "tells" it gives those windows, for whoever tells of them in the same transaction.
 */
export function settleStatement(
  settled: readonly [SettledCall, ...SettledCall[]],
  at: Date,
  near: 'fails' | 'tells',
): Prisma.Sql {
  const rows = settled.map(({ call, end }, place) => ({
    place,
    id: call.id,
    status: end.status,
    failure: end.failure ?? null,
    model: end.model,
    input_tokens: end.usage.inputTokens,
    output_tokens: end.usage.outputTokens,
    charged_tokens: end.chargedTokens,
    cost_micros: end.micros,
    credits: end.credits,
    released: call.credits,
  }));
  const windows = settled.flatMap(({ call, end }) =>
    call.windows.map(({ key, unit, bound }) => ({
      id: call.id,
      key,
      used: unit === 'tokens' ? end.chargedTokens : (end.micros ?? 0),
      released: bound === undefined ? 0 : unit === 'tokens' ? call.tokens : call.micros,
    })),
  );
  return Prisma.sql`
    WITH calls AS (
      SELECT * FROM jsonb_to_recordset(${json(rows)}) AS c(place int, id text, status text, failure text, model text,
        input_tokens int, output_tokens int, charged_tokens int, cost_micros bigint, credits bigint, released bigint)
    ), ended AS (
      UPDATE model_calls AS m SET status = c.status, failure = c.failure, model = c.model, input_tokens = c.input_tokens,
        output_tokens = c.output_tokens, charged_tokens = c.charged_tokens, cost_micros = c.cost_micros,
        credits = c.credits::int, finished_at = ${at}
      FROM calls AS c WHERE m.id = c.id AND m.status = 'started' RETURNING m.id
    ), counts AS (
      SELECT w.key, sum(w.used)::bigint AS used, sum(w.released)::bigint AS released
      FROM jsonb_to_recordset(${json(windows)}) AS w(id text, key text, used bigint, released bigint) JOIN ended USING (id)
      GROUP BY w.key HAVING sum(w.used) > 0 OR sum(w.released) > 0
    ), counted AS (
      INSERT INTO quota_windows AS q (key, used, reserved) SELECT key, used, released FROM counts ORDER BY key
      ON CONFLICT (key) DO UPDATE
        SET used = q.used + excluded.used, reserved = greatest(0, q.reserved - excluded.reserved), updated_at = now()
      RETURNING key, used, bound, near_told
    ), near AS (
      -- A window in which nothing was held has no limit now, whatever bound its row remembers.
      SELECT key, counted.used, bound FROM counted JOIN counts USING (key)
      WHERE released > 0 AND NOT near_told AND counted.used * 100 >= bound * ${NEAR_PERCENT}::bigint
    ), account AS (
      -- Read after the windows are locked, in the same order as a reservation.
      SELECT workspace_id, CASE WHEN unlimited THEN 4000000000000000000 ELSE greatest(plan_granted - plan_used, 0) END AS plan_left,
        trial_granted - trial_used AS trial_left, purchased_granted - purchased_used AS purchased_left
      FROM credit_accounts
      WHERE workspace_id = ${settled[0].call.workspaceId} AND (SELECT count(*) FROM counted) >= 0
        AND EXISTS (SELECT 1 FROM ended JOIN calls USING (id) WHERE credits + released > 0)
      FOR UPDATE
    ), spans AS (
      -- Where each call's credits lie in the row of all of them: from first to last.
      SELECT id, credits, sum(credits) OVER (ORDER BY place) - credits AS first, sum(credits) OVER (ORDER BY place) AS last
      FROM calls JOIN ended USING (id)
    ), parts AS (
      SELECT id, workspace_id, credits,
        greatest(0, least(last, plan_left + trial_left) - greatest(first, plan_left)) AS by_trial,
        greatest(0, least(last, plan_left + trial_left + purchased_left) - greatest(first, plan_left + trial_left)) AS by_purchase
      FROM spans, account
    ), entered AS (
      INSERT INTO credit_entries (workspace_id, operation, reference, bucket, amount)
      SELECT workspace_id, 'model_call', id, bucket, -amount FROM parts,
        -- What no bucket has is owed by the plan.
        LATERAL (VALUES ('plan', credits - by_trial - by_purchase), ('trial', by_trial), ('purchased', by_purchase)) AS b(bucket, amount)
      WHERE amount > 0 ON CONFLICT DO NOTHING RETURNING bucket, -amount AS amount
    ), moved AS (
      UPDATE credit_accounts AS a SET
        plan_used = a.plan_used + (SELECT coalesce(sum(amount), 0) FROM entered WHERE bucket = 'plan'),
        trial_used = a.trial_used + (SELECT coalesce(sum(amount), 0) FROM entered WHERE bucket = 'trial'),
        purchased_used = a.purchased_used + (SELECT coalesce(sum(amount), 0) FROM entered WHERE bucket = 'purchased'),
        reserved = greatest(0, a.reserved - (SELECT coalesce(sum(released), 0) FROM calls JOIN ended USING (id))), updated_at = now()
      FROM account WHERE a.workspace_id = account.workspace_id
      RETURNING 1
    )
    ${near === 'tells' ? Prisma.sql`SELECT key, used, bound FROM near` : Prisma.sql`SELECT 1 / (SELECT CASE WHEN count(*) = 0 THEN 1 ELSE 0 END FROM near) AS settled`}`;
}
