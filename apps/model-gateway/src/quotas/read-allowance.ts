/** What a person may still use: the workspace's credits, and every limit that is set for them with what is used of it. */
import type { ChoiceOwner } from '../choices/choice-store.ts';
import type { Workspaces } from '../workspaces/workspace-view.ts';
import type { CallLedger } from './call-ledger.ts';
import type { CreditAccount, PlanCredits } from './credits.ts';
import { monthAfter, windowsOf } from './limits.ts';

export interface LimitView {
  readonly name: string;
  readonly bound: number;
  readonly used: number;
  readonly reserved: number;
  readonly resetsAt: Date | undefined;
}

export interface Allowance {
  readonly account: CreditAccount;
  readonly limits: readonly LimitView[];
  readonly resetsAt: Date;
}

export interface ReadAllowanceParts {
  readonly workspaces: Workspaces;
  readonly ledger: CallLedger;
  readonly planCredits: (plan: string) => PlanCredits;
  readonly trialCredits: number;
  readonly now: () => Date;
}

export type ReadAllowance = (owner: ChoiceOwner) => Promise<Allowance>;

export const createReadAllowance =
  ({ workspaces, ledger, planCredits, trialCredits, now }: ReadAllowanceParts): ReadAllowance =>
  async (owner) => {
    const at = now();
    const { plan, limits } = await workspaces.read(owner);
    const bounded = windowsOf({ ...owner, rootConversationId: owner.conversationId }, limits, at).filter(
      // Without a conversation there is nothing of it to tell.
      ({ bound, resetsAt }) => bound !== undefined && (resetsAt !== undefined || owner.conversationId !== ''),
    );
    const period = at.toISOString().slice(0, 7);
    const terms = { workspaceId: owner.workspaceId, plan, period, planCredits: planCredits(plan), trialCredits };
    const [account, states] = await Promise.all([
      ledger.openAccount(terms),
      ledger.readWindows(bounded.map(({ key }) => key)),
    ]);
    return {
      account,
      resetsAt: monthAfter(at),
      limits: bounded.map(({ limit, key, bound = 0, resetsAt }) => ({
        name: limit,
        bound,
        used: states.get(key)?.used ?? 0,
        reserved: states.get(key)?.reserved ?? 0,
        resetsAt,
      })),
    };
  };
