/** The model gateway over gRPC, on behalf of the person whose conversation it is. */
import type { GrpcClient } from '@bravo/chassis';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { Models } from './models.ts';

/** A few calls of a model, one after the other. */
const SUMMARY_MS = 300_000;

export const createModels = (client: GrpcClient<typeof ModelsServiceService>): Models => ({
  window: async (subject, conversationId) => {
    const { label, model, budgetTokens, summarises } = await client.getContext({ conversationId }, { subject });
    return { label, model, budgetTokens: Number(budgetTokens), summarises };
  },
  summarise: async (subject, conversationId, { earlier, messages }, signal) => {
    const said = messages.map(({ role, content }) => ({ role, content }));
    const answer = await client.summarise(
      { conversationId, earlier, messages: said },
      { subject, signal, timeoutMs: SUMMARY_MS },
    );
    return { ...answer, tokens: Number(answer.tokens) };
  },
  putInstructions: async (subject, conversationId, head) =>
    void (await client.putInstructions({ conversationId, ...head }, { subject })),
  forget: async (subject, conversationId) => void (await client.forgetConversation({ conversationId }, { subject })),
});
