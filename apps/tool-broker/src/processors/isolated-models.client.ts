/** Isolated calls over the model gateway's gRPC, in the name of the conversation's person. */
import type { GrpcClient } from '@bravo/chassis';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { IsolatedModels } from './isolated-models.ts';

const TIMEOUT_MS = 170_000;

export const createIsolatedModels = (models: GrpcClient<typeof ModelsServiceService>): IsolatedModels => ({
  run: async ({ userId, workspaceId, conversationId, role, permissions }, { instruction, inputs, signal }) => {
    const answer = await models.runIsolated(
      {
        conversationId,
        instruction,
        maxOutputTokens: 0,
        inputs: inputs.map((input) =>
          'text' in input
            ? { name: input.name, content: input.text, mediaType: '', picture: Buffer.alloc(0) }
            : { name: input.name, content: '', mediaType: input.mediaType, picture: Buffer.from(input.bytes) },
        ),
      },
      { subject: { userId, workspaceId, role, permissions }, timeoutMs: TIMEOUT_MS, signal },
    );
    return answer.text;
  },
});
