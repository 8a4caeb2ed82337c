/** The orchestrator over gRPC, in the name of the person whose conversation it is; it opens what it is asked to once per id. */
import type { GrpcClient } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import type { DelegateHost } from './delegates.ts';

const TIMEOUT_MS = 10_000;

export const createDelegateHost = (client: GrpcClient<typeof OrchestratorServiceService>): DelegateHost => ({
  open: async ({ userId, workspaceId, role, permissions, conversationId }, { delegates, ...asked }) => {
    const { delegates: opened, refusedBecause } = await client.openDelegates(
      { parentConversationId: conversationId, ...asked, delegates: [...delegates] },
      { subject: { userId, workspaceId, role, permissions }, timeoutMs: TIMEOUT_MS },
    );
    return { names: opened.map(({ name }) => name), refusedBecause };
  },
});
