/** Credits of a workspace: a token is one, a second of a pod is ten. They are taken from the plan's month, then the trial, then what was bought. */
import { z } from 'zod';

export const CREDITS_PER_CONTAINER_SECOND = 10;

/** What a plan gives in a month. */
export type PlanCredits = number | 'unlimited';

const PlanTable = z.record(z.string().min(1), z.union([z.int().min(0), z.literal('unlimited')]));

/** A plan nobody knows gives nothing. @throws Error naming the variable. */
export function readPlanCredits(json: string): (plan: string) => PlanCredits {
  let table: z.output<typeof PlanTable>;
  try {
    table = PlanTable.parse(JSON.parse(json));
  } catch {
    throw new Error(
      'BRAVO_PLAN_CREDITS must be JSON such as {"free": 0, "team": 8000000, "enterprise": "unlimited"}, in credits a month.',
    );
  }
  return (plan) => (Object.hasOwn(table, plan) ? (table[plan] ?? 0) : 0);
}

/** What an account is made or renewed with. */
export interface AccountTerms {
  readonly workspaceId: string;
  readonly plan: string;
  /** YYYY-MM, UTC. */
  readonly period: string;
  readonly planCredits: PlanCredits;
  /** Given once, when the account is made. */
  readonly trialCredits: number;
}

export interface CreditAccount {
  readonly plan: string;
  readonly unlimited: boolean;
  readonly planGranted: number;
  readonly planUsed: number;
  readonly trialGranted: number;
  readonly trialUsed: number;
  readonly purchasedGranted: number;
  readonly purchasedUsed: number;
  readonly reserved: number;
}

/** What is neither used nor held; below zero where a pod ran on after the last credit. */
export const availableCredits = (account: CreditAccount): number =>
  account.unlimited
    ? Number.MAX_SAFE_INTEGER
    : account.planGranted -
      account.planUsed +
      account.trialGranted -
      account.trialUsed +
      account.purchasedGranted -
      account.purchasedUsed -
      account.reserved;
