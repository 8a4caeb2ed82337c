/** Delegates over gRPC: opened by the broker alone, for the person of the conversation; listed for that person. */
import type { Handlers } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { readCaller } from '../access/caller.ts';
import type { createReadConversation } from '../conversations/read-conversation.ts';
import type { DelegateStore } from './delegate-store.ts';
import type { createOpenDelegates } from './open-delegates.ts';

export interface DelegateUseCases {
  readonly openDelegates: ReturnType<typeof createOpenDelegates>;
  readonly getConversation: ReturnType<typeof createReadConversation>['getConversation'];
  readonly delegates: Pick<DelegateStore, 'below'>;
}

export const delegateHandlers = (
  use: DelegateUseCases,
): Pick<Handlers<typeof OrchestratorServiceService>, 'openDelegates' | 'listDelegates'> => ({
  openDelegates: async (request, { principal }) => {
    const { names, refusedBecause } = await use.openDelegates(readCaller(principal), request);
    const opened = request.delegates.map(({ conversationId }, index) => ({
      conversationId,
      name: names[index] ?? '',
    }));
    return { delegates: opened, refusedBecause };
  },
  listDelegates: async ({ conversationId }, { principal }) => {
    await use.getConversation(readCaller(principal), conversationId);
    const found = await use.delegates.below(conversationId);
    return {
      delegates: found.map(({ parentId, rootId, settledAt, inputTokens, outputTokens, ...one }) => ({
        conversationId: one.conversationId,
        parentConversationId: parentId,
        rootConversationId: rootId,
        name: one.name,
        kind: one.kind,
        task: one.task,
        depth: one.depth,
        state: one.state,
        createdAt: one.createdAt,
        finishedAt: settledAt,
        usage: { inputTokens, outputTokens },
        toolCallId: one.toolCallId,
      })),
    };
  },
});
