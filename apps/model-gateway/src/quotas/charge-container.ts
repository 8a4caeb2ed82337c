/** Credits of a pod's time, from its claim to its release; begun seconds count whole, and a pod is charged once. */
import type { CallLedger } from './call-ledger.ts';
import { CREDITS_PER_CONTAINER_SECOND, type PlanCredits } from './credits.ts';

export interface ChargeContainerParts {
  readonly ledger: CallLedger;
  readonly planOf: (workspaceId: string) => Promise<string>;
  readonly planCredits: (plan: string) => PlanCredits;
  readonly trialCredits: number;
  readonly now: () => Date;
}

export type ChargeContainer = (workspaceId: string, podId: string, seconds: number) => Promise<void>;

export const createChargeContainer =
  ({ ledger, planOf, planCredits, trialCredits, now }: ChargeContainerParts): ChargeContainer =>
  async (workspaceId, podId, seconds) => {
    const plan = await planOf(workspaceId);
    const period = now().toISOString().slice(0, 7);
    const terms = { workspaceId, plan, period, planCredits: planCredits(plan), trialCredits };
    await ledger.chargeContainer(terms, podId, CREDITS_PER_CONTAINER_SECOND * Math.max(1, Math.ceil(seconds)));
  };
