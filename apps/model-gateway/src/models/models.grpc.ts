/** ModelsService for the gateway: which models there are, and what a workspace used. The workspace is the principal's, never an argument. */
import type { AccessTable, Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { ModelsServiceService } from '@bravo/proto/models';
import type { ModelProvider } from '../providers/model-provider.port.ts';
import type { ListTokenUsage } from '../usage/list-token-usage.ts';

export const MODELS_ACCESS: AccessTable<typeof ModelsServiceService> = {
  listModels: ['gateway'],
  listTokenUsage: ['gateway'],
};

export const createModelsHandlers = (
  provider: ModelProvider,
  listTokenUsage: ListTokenUsage,
): Handlers<typeof ModelsServiceService> => ({
  listModels: async () => ({
    models: provider.models.map((model) => ({ ...model })),
    defaultModel: provider.models[0].id,
  }),
  listTokenUsage: async ({ from, to }, { principal }) => {
    if (principal.workspaceId === '')
      throw new Fault('permission_denied', 'Usage is told for one workspace, and the call names none.');
    const rows = await listTokenUsage(principal.workspaceId, { from, to });
    return { rows: rows.map((row) => ({ ...row })) };
  },
});
