/** What the requests of a conversation have to fit in now, and how full the last one was; what nobody counted is marked as an estimate. */
import type { ChoiceOwner } from '../choices/choice-store.ts';
import type { ChooseModel } from '../choices/choose-model.ts';
import type { CallLedger } from '../quotas/call-ledger.ts';
import { budgetOf, type ContextBudget, type ContextPolicy } from './context-budget.ts';

export interface ContextReading {
  readonly budget: ContextBudget;
  /** 0: nothing was asked yet. */
  readonly lastTokens: number;
  readonly lastMeasured: boolean;
}

export type ReadContext = (owner: ChoiceOwner) => Promise<ContextReading>;

export const createReadContext =
  ({
    chooseModel,
    ledger,
    policy,
  }: {
    chooseModel: ChooseModel;
    ledger: Pick<CallLedger, 'lastPrompt'>;
    policy: ContextPolicy;
  }): ReadContext =>
  async (owner) => {
    const [choice, last] = await Promise.all([
      chooseModel(owner),
      ledger.lastPrompt(owner.workspaceId, owner.conversationId),
    ]);
    return { budget: budgetOf(choice, policy), lastTokens: last?.tokens ?? 0, lastMeasured: last?.measured ?? false };
  };
