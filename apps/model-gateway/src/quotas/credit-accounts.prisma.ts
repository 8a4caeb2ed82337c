/** Credit accounts in Postgres: a movement and its ledger entries are one statement, and a reference moves an account once. */
import type { Database } from '../databases/database.prisma.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { AccountTerms, CreditAccount } from './credits.ts';

interface AccountRow {
  readonly plan: string;
  readonly unlimited: boolean;
  readonly plan_granted: bigint;
  readonly plan_used: bigint;
  readonly trial_granted: bigint;
  readonly trial_used: bigint;
  readonly purchased_granted: bigint;
  readonly purchased_used: bigint;
  readonly reserved: bigint;
}

/** A month that is over takes its numbers with it; trial and purchased credits stay. */
export async function openAccount(database: Pick<Database, '$queryRaw'>, terms: AccountTerms): Promise<CreditAccount> {
  const unlimited = terms.planCredits === 'unlimited';
  const granted = BigInt(terms.planCredits === 'unlimited' ? 0 : terms.planCredits);
  // Most calls find it as it should be, and then nobody waits for its row.
  const [known] = await database.$queryRaw<AccountRow[]>`
    SELECT plan, unlimited, plan_granted, plan_used, trial_granted, trial_used, purchased_granted, purchased_used, reserved
    FROM credit_accounts WHERE workspace_id = ${terms.workspaceId} AND plan = ${terms.plan} AND period = ${terms.period}
      AND unlimited = ${unlimited} AND plan_granted = ${granted}`;
  if (known) return toAccount(known);
  const [row] = await database.$queryRaw<AccountRow[]>`
    INSERT INTO credit_accounts AS a (workspace_id, plan, period, unlimited, plan_granted, trial_granted)
    VALUES (${terms.workspaceId}, ${terms.plan}, ${terms.period}, ${unlimited}, ${granted}, ${BigInt(terms.trialCredits)})
    ON CONFLICT (workspace_id) DO UPDATE SET
      plan = excluded.plan, unlimited = excluded.unlimited, plan_granted = excluded.plan_granted,
      plan_used = CASE WHEN a.period = excluded.period THEN a.plan_used ELSE 0 END,
      period = excluded.period, updated_at = now()
    RETURNING plan, unlimited, plan_granted, plan_used, trial_granted, trial_used, purchased_granted, purchased_used, reserved`;
  if (!row) throw new Error('The credit account was not written.');
  return toAccount(row);
}

const toAccount = (row: AccountRow): CreditAccount => ({
  plan: row.plan,
  unlimited: row.unlimited,
  planGranted: Number(row.plan_granted),
  planUsed: Number(row.plan_used),
  trialGranted: Number(row.trial_granted),
  trialUsed: Number(row.trial_used),
  purchasedGranted: Number(row.purchased_granted),
  purchasedUsed: Number(row.purchased_used),
  reserved: Number(row.reserved),
});

export interface Taking {
  readonly workspaceId: string;
  readonly operation: 'model_call' | 'container_time';
  readonly reference: string;
  readonly credits: number;
  /** Held until now. */
  readonly released: number;
  readonly when: Prisma.Sql;
}

/** Common table expressions that take credits in order; what no bucket has is owed by the plan. */
export const takeCredits = ({ workspaceId, operation, reference, credits, released, when }: Taking): Prisma.Sql => {
  const n = Prisma.sql`${BigInt(credits)}::bigint`;
  return Prisma.sql`account AS (
      SELECT * FROM credit_accounts WHERE workspace_id = ${workspaceId} AND ${credits + released}::int > 0 AND ${when} FOR UPDATE
    ), first_part AS (
      SELECT *, CASE WHEN unlimited THEN ${n} ELSE least(${n}, greatest(plan_granted - plan_used, 0)) END AS by_plan FROM account
    ), second_part AS (
      SELECT *, least(${n} - by_plan, trial_granted - trial_used) AS by_trial FROM first_part
    ), third_part AS (
      SELECT *, least(${n} - by_plan - by_trial, purchased_granted - purchased_used) AS by_purchase FROM second_part
    ), parts AS (
      SELECT workspace_id, by_trial, by_purchase, ${n} - by_trial - by_purchase AS by_plan FROM third_part
    ), entered AS (
      INSERT INTO credit_entries (workspace_id, operation, reference, bucket, amount)
      SELECT workspace_id, ${operation}, ${reference}, bucket, -amount FROM parts,
        LATERAL (VALUES ('plan', by_plan), ('trial', by_trial), ('purchased', by_purchase)) AS b(bucket, amount)
      WHERE amount > 0 ON CONFLICT DO NOTHING RETURNING bucket
    ), moved AS (
      UPDATE credit_accounts AS a SET plan_used = a.plan_used + p.by_plan, trial_used = a.trial_used + p.by_trial,
        purchased_used = a.purchased_used + p.by_purchase,
        reserved = greatest(0, a.reserved - ${BigInt(released)}::bigint), updated_at = now()
      FROM parts AS p
      WHERE a.workspace_id = p.workspace_id AND (${credits}::int = 0 OR EXISTS (SELECT 1 FROM entered))
      RETURNING 1
    )`;
};

/** Below zero is a grant. @returns whether anything moved: a reference that did already moves nothing. */
export async function chargeAccount(
  database: Database,
  terms: AccountTerms,
  operation: 'container_time' | 'grant',
  reference: string,
  credits: number,
): Promise<boolean> {
  return database.$transaction(async (tx) => {
    await openAccount(tx, terms);
    const { workspaceId } = terms;
    if (operation === 'container_time') {
      const seen = await tx.creditEntry.count({ where: { workspaceId, operation, reference } });
      if (seen > 0) return false;
      const when = Prisma.sql`true`;
      const taking = takeCredits({ workspaceId, operation, reference, credits, released: 0, when });
      await tx.$queryRaw(Prisma.sql`WITH ${taking} SELECT 1`);
      return true;
    }
    const entered = await tx.creditEntry.createMany({
      data: { workspaceId, operation, reference, bucket: 'purchased', amount: BigInt(-credits) },
      skipDuplicates: true,
    });
    if (entered.count === 0) return false;
    await tx.creditAccount.update({
      where: { workspaceId },
      data: { purchasedGranted: { increment: BigInt(-credits) } },
    });
    return true;
  });
}
