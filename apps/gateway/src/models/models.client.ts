/** Models and choices at the model gateway. */
import type { Choice, ChoiceView } from './model-routes.ts';
import type { Models } from './choose-model.ts';
import type { ModelsClient } from '../usage/model-gateway.client.ts';

export const createModels = (client: ModelsClient): Models => ({
  list: async (subject, search) => {
    const { models, defaultModel, services, notes } = await client.listModels({ search }, { subject });
    return {
      models: models.map((model) => ({
        id: model.id,
        label: model.label,
        service: model.provider,
        service_label: model.providerLabel,
        context_tokens: model.contextTokens === 0 ? null : model.contextTokens,
        output_tokens: model.outputTokens === 0 ? null : model.outputTokens,
        effort: model.effort === 'read' || model.effort === 'unread' ? model.effort : 'unknown',
        demo: model.demo,
      })),
      automatic: defaultModel,
      services: services.map(({ id, label, stale, problem }) => ({ id, label, stale, problem })),
      notes,
    };
  },
  readChoice: async (subject, conversationId) => {
    const answer = await client.getModelChoice({ conversationId }, { subject });
    return {
      conversation: choiceOf(answer.conversation),
      person: choiceOf(answer.person),
      workspace: choiceOf(answer.workspace),
      effective: {
        model: answer.effectiveModel,
        label: answer.effectiveLabel,
        decided_by: answer.decidedBy as ChoiceView['effective']['decided_by'],
        effort: answer.effectiveEffort as Choice['effort'],
        effort_sent: answer.effortSent,
      },
    };
  },
  putChoice: async (subject, scope, conversationId, choice) => {
    await client.putModelChoice({ scope, conversationId, ...choice }, { subject });
  },
});

const choiceOf = (choice: { model: string; effort: string } | undefined): Choice => ({
  model: choice?.model ?? '',
  effort: (choice?.effort ?? '') as Choice['effort'],
});
