/** What was told, at the orchestrator and the model gateway. */
import type { OrchestratorClient } from '../conversations/agent-orchestrator.client.ts';
import type { ModelsClient } from '../usage/model-gateway.client.ts';
import type { Told } from './read-told.ts';

export const createTold = (orchestrator: OrchestratorClient, models: ModelsClient): Told => ({
  instructions: async (subject, conversationId) => {
    const answer = await orchestrator.getInstructions({ conversationId }, { subject });
    const { version, digest, text, parts, since, summarisedMessages, leftOutMessages, summary } = answer;
    return {
      ...{ version, digest, text },
      since: since?.toISOString() ?? null,
      parts: parts.map((part) => ({ ...part })),
      summary: summary === '' ? null : { text: summary, messages: summarisedMessages, left_out: leftOutMessages },
    };
  },
  context: async (subject, conversationId) => {
    const answer = await models.getContext({ conversationId }, { subject });
    return {
      ...{ model: answer.model, label: answer.label, setting: answer.setting },
      window_tokens: Number(answer.windowTokens),
      window_assumed: answer.windowAssumed,
      budget_tokens: Number(answer.budgetTokens),
      last_tokens: Number(answer.lastTokens),
      last_measured: answer.lastMeasured,
    };
  },
});
