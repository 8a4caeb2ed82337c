/** Documents to what identity answers ResolveProviders with, by the function it decides with. */
import { compileSettings, type LayerSource, resolveProviders } from '@bravo/policy';
import type { ResolveProvidersResponse } from '@bravo/proto/identity';

/** `isAdmin`: whether whoever asks manages the workspace. */
export function resolveAsIdentity(sources: readonly LayerSource[], isAdmin = true): ResolveProvidersResponse {
  const { settings } = compileSettings(sources);
  const { providerHosts, ignored } = settings;
  const mayNameSecrets = (layer: string) => layer === 'workspace' || isAdmin;
  const { providers, refused, tiers } = resolveProviders(settings, { mayNameSecrets, providerHosts });
  const dropped = ignored.filter(({ why }) => why === 'refused-provider');
  return {
    ...{ tiers: { ...tiers }, model: '', modelLayer: '', version: '' },
    refused: [
      ...refused.map(({ text, ...one }) => ({ ...one, reason: text })),
      ...dropped.map(({ key, layer, text }) => ({ id: key.slice('provider.'.length), key, layer, reason: text })),
    ],
    providers: providers.map(({ models, keyNames, inlineKey = '', ...provider }) => ({
      ...{ ...provider, keyNames: [...keyNames], inlineKey, secretName: '' },
      models: models.map(({ id, name, limit, options }) => ({
        ...{ id, name, contextLimit: limit?.context ?? 0, outputLimit: limit?.output ?? 0 },
        optionsJson: JSON.stringify(options),
      })),
    })),
  };
}
