/** ResolveProviders on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { actorOf } from '../callers/callers.grpc.ts';
import type { createResolveProviders } from './resolve-providers.ts';

export const providerHandlers = (use: {
  resolveProviders: ReturnType<typeof createResolveProviders>;
}): Pick<Handlers<typeof IdentityServiceService>, 'resolveProviders'> => ({
  resolveProviders: async (request, { principal }) => {
    const { providers, refused, tiers, ...rest } = await use.resolveProviders(actorOf(principal), request);
    return {
      ...rest,
      tiers: { ...tiers },
      providers: providers.map(({ keyNames, inlineKey = '', models, ...provider }) => ({
        ...provider,
        keyNames: [...keyNames],
        inlineKey,
        models: models.map(({ id, name, limit, options }) => ({
          ...{ id, name, contextLimit: limit?.context ?? 0, outputLimit: limit?.output ?? 0 },
          optionsJson: JSON.stringify(options),
        })),
      })),
      refused: refused.map(({ id, key, layer, text }) => ({ id, key, layer, reason: text })),
    };
  },
});
