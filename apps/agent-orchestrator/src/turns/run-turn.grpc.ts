/** Turns over gRPC: taken, looked at and cancelled by the person they belong to; followed on the turn stream. */
import type { Handlers } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { readCaller } from '../access/caller.ts';
import { encodeMessage } from '../conversations/conversation-codec.grpc.ts';
import type { createReadConversation } from '../conversations/read-conversation.ts';
import type { createCancelTurn } from './cancel-turn.ts';
import type { createRunTurn } from './run-turn.ts';

export interface TurnUseCases {
  readonly runTurn: ReturnType<typeof createRunTurn>;
  readonly cancelTurn: ReturnType<typeof createCancelTurn>;
  readonly getTurn: ReturnType<typeof createReadConversation>['getTurn'];
}

type Methods = 'runTurn' | 'getTurn' | 'cancelTurn';

export const turnHandlers = (use: TurnUseCases): Pick<Handlers<typeof OrchestratorServiceService>, Methods> => ({
  runTurn: async (request, { principal }) => {
    const { streamPosition, ...recorded } = await use.runTurn(readCaller(principal), request);
    return { ...recorded, streamPosition: String(streamPosition) };
  },
  getTurn: async ({ conversationId, turnId }, { principal }) => {
    const { turn, user, assistant } = await use.getTurn(readCaller(principal), conversationId, turnId);
    return {
      turnId: turn.id,
      status: turn.status,
      userMessage: user && encodeMessage(user),
      assistantMessage: assistant && encodeMessage(assistant),
    };
  },
  cancelTurn: async ({ conversationId }, { principal }) => ({
    cancelled: await use.cancelTurn(readCaller(principal), conversationId),
  }),
});
