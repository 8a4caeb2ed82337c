/** Conversations over gRPC: the person and the workspace come from the principal alone. */
import type { Handlers } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { type Caller, readCaller } from '../access/caller.ts';
import type { Conversation } from './conversation.ts';
import { encodeConversation, encodeMessage } from './conversation-codec.grpc.ts';
import type { createEndConversation } from './end-conversation.ts';
import type { createListConversations } from './list-conversations.ts';
import type { createReadConversation } from './read-conversation.ts';
import type { createSetMode } from './set-mode.ts';

export interface ConversationUseCases {
  createConversation(
    caller: Caller,
    asked: { projectId: string; title: string; mode: string; attended: boolean },
  ): Promise<Conversation>;
  readonly listConversations: ReturnType<typeof createListConversations>;
  readonly endConversation: ReturnType<typeof createEndConversation>['endConversation'];
  readonly setMode: ReturnType<typeof createSetMode>;
  readonly getConversation: ReturnType<typeof createReadConversation>['getConversation'];
  readonly listMessages: ReturnType<typeof createReadConversation>['listMessages'];
}

type Methods =
  'createConversation' | 'listConversations' | 'getConversation' | 'endConversation' | 'listMessages' | 'setMode';

export const conversationHandlers = (
  use: ConversationUseCases,
): Pick<Handlers<typeof OrchestratorServiceService>, Methods> => ({
  createConversation: async (request, { principal }) => ({
    conversation: encodeConversation(await use.createConversation(readCaller(principal), request)),
  }),
  listConversations: async ({ userId, page }, { principal }) => {
    const { rows, nextCursor } = await use.listConversations(readCaller(principal), userId, page);
    return { conversations: rows.map(encodeConversation), page: { nextCursor } };
  },
  getConversation: async ({ conversationId }, { principal }) => {
    const { conversation, messages, position } = await use.getConversation(readCaller(principal), conversationId);
    return {
      conversation: encodeConversation(conversation),
      messages: messages.map(encodeMessage),
      streamPosition: String(position),
    };
  },
  endConversation: async ({ conversationId }, { principal }) => {
    await use.endConversation(readCaller(principal), conversationId);
    return {};
  },
  listMessages: async ({ conversationId, page }, { principal }) => {
    const { rows, nextCursor } = await use.listMessages(readCaller(principal), conversationId, page);
    return { messages: rows.map(encodeMessage), page: { nextCursor } };
  },
  setMode: async ({ conversationId, mode }, { principal }) => ({
    conversation: encodeConversation(await use.setMode(readCaller(principal), conversationId, mode)),
  }),
});
