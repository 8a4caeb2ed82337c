/** Reads and records choices of models; a conversation's only for the person whose it is, and only while it lasts. */
import { Fault } from '@bravo/faults';
import { type Caller, type CallSubject, subjectOf } from '../callers/caller.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import type { Choice, ChoiceView, ModelList } from './model-routes.ts';

export type ChoiceScope = 'conversation' | 'person' | 'workspace';

export interface Models {
  list(subject: CallSubject, search: string): Promise<ModelList>;
  readChoice(subject: CallSubject, conversationId: string): Promise<ChoiceView>;
  putChoice(subject: CallSubject, scope: ChoiceScope, conversationId: string, choice: Choice): Promise<void>;
}

export interface ChooseModelParts {
  readonly models: Models;
  readonly orchestrator: Pick<Orchestrator, 'getConversation'>;
}

export interface WantedChoice {
  readonly model?: string | undefined;
  readonly effort?: Choice['effort'] | undefined;
}

export interface ChooseModel {
  list(caller: Caller, search: string): Promise<ModelList>;
  /** `conversationId` empty: what holds where a conversation has no choice of its own. */
  read(caller: Caller, conversationId: string): Promise<ChoiceView>;
  put(caller: Caller, scope: ChoiceScope, conversationId: string, wanted: WantedChoice): Promise<ChoiceView>;
}

export const createChooseModel = ({ models, orchestrator }: ChooseModelParts): ChooseModel => {
  /** @throws Fault not_found for a conversation of somebody else. */
  const own = async (subject: CallSubject, conversationId: string) =>
    conversationId === '' ? undefined : (await orchestrator.getConversation(subject, conversationId)).conversation;
  return {
    list: (caller, search) => models.list(subjectOf(caller), search),
    read: async (caller, conversationId) => {
      await own(subjectOf(caller), conversationId);
      return models.readChoice(subjectOf(caller), conversationId);
    },
    put: async (caller, scope, conversationId, wanted) => {
      const subject = subjectOf(caller);
      const conversation = await own(subject, conversationId);
      if (conversation?.status === 'ended')
        throw new Fault('conversation_ended', 'The conversation has ended, so no model answers in it any more.');
      const recorded = (await models.readChoice(subject, conversationId))[scope];
      const choice = { model: wanted.model ?? recorded.model, effort: wanted.effort ?? recorded.effort };
      await models.putChoice(subject, scope, conversationId, choice);
      return models.readChoice(subject, conversationId);
    },
  };
};
