/** Attaching an agent over gRPC. */
import type { Handlers } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { readCaller } from '../access/caller.ts';
import type { createAttachAgent } from './attach-agent.ts';

export const attachmentHandlers = (use: {
  readonly attachAgent: ReturnType<typeof createAttachAgent>;
}): Pick<Handlers<typeof OrchestratorServiceService>, 'attachAgent'> => ({
  attachAgent: ({ conversationId }, { principal }) => use.attachAgent(readCaller(principal), conversationId),
});
