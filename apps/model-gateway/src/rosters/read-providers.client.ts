/** What identity resolved, as entries that can be asked. Which block may be used, and where it leads, is decided there and by nobody else. */
import type { Provider, ResolveProvidersResponse } from '@bravo/proto/identity';
import { LABELS } from '../providers/operator-provider.ts';
import { isTenants, PROVIDER_KINDS } from '../providers/provider-entry.ts';
import type { EntryLayer, ListedModel, ProviderEntry, ProviderKind } from '../providers/provider-entry.ts';
import type { ProviderReading } from './provider-reading.ts';

const LAYERS = ['platform', 'workspace', 'user', 'conversation'] as const satisfies readonly EntryLayer[];

export const readProviders = ({
  providers,
  refused,
  tiers,
}: Pick<ResolveProvidersResponse, 'providers' | 'refused' | 'tiers'>): ProviderReading => ({
  entries: providers.map(toEntry),
  notes: refused.map(({ key, layer, reason }) => ({ key, text: `${reason} (${layer} settings)` })),
  tiers,
});

function toEntry(provider: Provider): ProviderEntry {
  const { id, name, baseUrl, hostListed, keyNames, inlineKey, region, profile, models } = provider;
  const kind = PROVIDER_KINDS.find((one) => one === provider.kind);
  // What nobody vouches for is a tenant's word.
  const layer = LAYERS.find((one) => one === provider.layer) ?? 'conversation';
  if (kind === undefined) throw new Error(`Identity tells of a kind of provider that is not known: ${provider.kind}`);
  return {
    ...{ id, kind, layer, hostListed, keyNames },
    label: name === id && kind !== 'openai-compatible' ? labelOf(kind, layer, profile) : name,
    baseUrl: baseUrl || undefined,
    key: inlineKey || undefined,
    region: region || undefined,
    profile: profile || undefined,
    models: models.map(({ id: model, name: label, contextLimit, outputLimit, optionsJson }): ListedModel => {
      const options = JSON.parse(optionsJson || '{}') as Readonly<Record<string, unknown>>;
      const limits = { contextTokens: contextLimit || null, outputTokens: outputLimit || null };
      return { name: model, label, ...limits, effort: 'unknown', demo: false, options };
    }),
  };
}

function labelOf(kind: ProviderKind, layer: EntryLayer, profile: string): string {
  if (kind !== 'amazon-bedrock') return LABELS[kind];
  if (isTenants({ layer })) return "Bedrock, the workspace's AWS account";
  return profile === '' ? 'Bedrock, your AWS account' : `Bedrock, your ${profile} AWS profile`;
}
