/** GetInstructions on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { readCaller } from '../access/caller.ts';
import type { ReadInstructions } from './read-instructions.ts';

export const instructionHandlers = (
  readInstructions: ReadInstructions,
): Pick<Handlers<typeof OrchestratorServiceService>, 'getInstructions'> => ({
  getInstructions: async ({ conversationId }, { principal }) => {
    const { instructions, summary } = await readInstructions(readCaller(principal), conversationId);
    return {
      version: instructions?.version ?? 0,
      digest: instructions?.digest ?? '',
      text: instructions?.text ?? '',
      parts: (instructions?.parts ?? []).map((part) => ({ ...part })),
      since: instructions?.createdAt,
      summarisedMessages: summary?.messages ?? 0,
      leftOutMessages: summary?.leftOut ?? 0,
      summary: summary?.text ?? '',
    };
  },
});
