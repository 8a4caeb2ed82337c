/** Container seconds over gRPC. */
import type { Handlers } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { readCaller } from '../access/caller.ts';
import type { createListContainerUsage } from './list-container-usage.ts';

export const usageHandlers = (use: {
  readonly listContainerUsage: ReturnType<typeof createListContainerUsage>;
}): Pick<Handlers<typeof OrchestratorServiceService>, 'listContainerUsage'> => ({
  listContainerUsage: async ({ from, to }, { principal }) => ({
    rows: await use.listContainerUsage(readCaller(principal), from, to),
  }),
});
