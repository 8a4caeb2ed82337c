/** The provider blocks in force for a person, checked once more where they are used (D13). Guarantees that a key is told to the model gateway alone and that a secret goes only where an admin sends it. */
import { createHash } from 'node:crypto';
import { Fault } from '@bravo/faults';
import { compileSettings, type RefusedProvider, type ResolvedProvider, resolveProviders } from '@bravo/policy';
import { type Actor, requireWorkspace } from '../callers/actor.ts';
import type { MemberStore } from '../members/member-store.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { settingsKeys, type SettingsStore } from '../settings/settings-document.ts';

export interface ResolveProvidersParts {
  readonly settings: Pick<SettingsStore, 'findEach'>;
  readonly members: Pick<MemberStore, 'findMember'>;
  readonly secrets: Pick<SecretStore, 'listNames'>;
}

export interface ProvidersInForce {
  /** `secretName`: the first of its names that a sealed secret has. */
  readonly providers: readonly (ResolvedProvider & { readonly secretName: string })[];
  readonly refused: readonly RefusedProvider[];
  readonly tiers: Readonly<Record<string, string>>;
  readonly model: string;
  readonly modelLayer: string;
  readonly version: string;
}

/** @throws Fault not_found for who is no member, or for a person who asks about another. */
export const createResolveProviders =
  ({ settings, members, secrets }: ResolveProvidersParts) =>
  async (
    actor: Actor,
    { workspaceId, userId, conversationId }: { workspaceId: string; userId: string; conversationId: string },
  ): Promise<ProvidersInForce> => {
    requireWorkspace(actor, workspaceId);
    const member = await members.findMember(workspaceId, userId);
    if (!member || (!actor.userId.startsWith('service:') && actor.userId !== userId))
      throw new Fault('not_found', 'There is no such member of the workspace.');
    const isAdmin = ['owner', 'admin'].includes(member.role);
    const keys = settingsKeys(
      conversationId === '' ? { workspaceId, userId } : { workspaceId, userId, conversationId },
    );
    const [names, stored] = await Promise.all([secrets.listNames(workspaceId), settings.findEach(keys)]);
    const documents = keys.map(({ layer }, index) => ({ layer, text: stored[index]!.document }));
    const { settings: merged } = compileSettings(documents);
    const { providers, refused, tiers } = resolveProviders(merged, {
      mayNameSecrets: (layer) => layer === 'workspace' || isAdmin,
      providerHosts: merged.providerHosts,
    });
    const dropped = merged.ignored.filter(({ why }) => why === 'refused-provider');
    const model = merged.effective['model'];
    return {
      providers: providers.map((provider) => ({
        ...withoutKey(provider, actor),
        secretName: provider.keyNames.find((name) => names.includes(name)) ?? '',
      })),
      refused: [
        ...refused,
        ...dropped.map(({ layer, key, text }) => ({ id: key.slice('provider.'.length), key, layer, text })),
      ],
      tiers,
      model: typeof model === 'string' ? model : '',
      modelLayer: merged.origins.get('model')?.at(-1) ?? '',
      version: createHash('sha256')
        .update(JSON.stringify([documents, names, isAdmin]))
        .digest('hex')
        .slice(0, 32),
    };
  };

/** Only whoever asks the provider needs the key. */
const withoutKey = ({ inlineKey, ...provider }: ResolvedProvider, { issuer }: Actor): ResolvedProvider =>
  inlineKey === undefined ? provider : { ...provider, inlineKey: issuer === 'models' ? inlineKey : WITHHELD };

/** Says that a key is written, and not which. */
const WITHHELD = 'withheld';
