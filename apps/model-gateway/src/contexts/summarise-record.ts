/** A summary of what the orchestrator has on record of a conversation, for a pod that was not there. */
import type { ChoiceOwner } from '../choices/choice-store.ts';
import type { ChooseModel } from '../choices/choose-model.ts';
import { budgetOf, type ContextPolicy, summaryTokens } from './context-budget.ts';
import type { Stretch, StretchSummary, SummariseStretch } from './summarise-stretch.ts';

export type SummariseRecord = (
  owner: ChoiceOwner,
  record: Pick<Stretch, 'earlier' | 'messages'>,
  signal: AbortSignal,
) => Promise<StretchSummary & { readonly model: string }>;

export interface SummariseRecordParts {
  readonly chooseModel: ChooseModel;
  readonly summarise: SummariseStretch;
  readonly policy: ContextPolicy;
}

/** Nothing of it is measured: what is asked at once stays well below the budget. */
const CAREFUL = 0.75;

export const createSummariseRecord =
  ({ chooseModel, summarise, policy }: SummariseRecordParts): SummariseRecord =>
  async (owner, record, signal) => {
    const budget = budgetOf(await chooseModel(owner), policy);
    if (!budget.summarises) return { text: '', tokens: 0, leftOut: record.messages.length, model: budget.model };
    const room = Math.floor(budget.budgetTokens * CAREFUL);
    const caller = { ...owner, rootConversationId: owner.conversationId, podId: '' };
    return {
      ...(await summarise(caller, { ...record, room, most: summaryTokens(room) }, signal)),
      model: budget.model,
    };
  };
