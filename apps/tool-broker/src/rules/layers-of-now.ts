/** All five layers that hold for a call: three as the conversation began, the repository's as first seen, the conversation's own as it is now. One that cannot be read makes the whole unknown, which denies. */
import { canonicalDigest } from '@bravo/policy';
import type { Identity } from '../access/agent.ts';
import type { Conversation } from '../conversations/conversation.ts';
import type { FindRepository, RepositorySettings } from '../repositories/repository-settings.ts';
import { whyUnasked } from '../repositories/repository-settings.ts';
import type { OnBehalfOf } from '../sandbox/sandbox.ts';
import { sentenceOf } from '../tool-calls/resolve-reach.ts';
import type { StoredLayer } from './stored-layers.ts';

export interface LayersOfNow {
  readonly layers: readonly StoredLayer[] | 'unknown';
  /** Names the policy with these layers: another one is another question. */
  readonly policyVersion: string;
  readonly problems: readonly string[];
}

export interface LayerSources {
  readonly identity: Pick<Identity, 'conversationSettings'>;
  readonly findRepository: FindRepository;
}

export type ReadLayers = (conversation: Conversation, who: OnBehalfOf, policyVersion: string) => Promise<LayersOfNow>;

export const createReadLayers =
  ({ identity, findRepository }: LayerSources): ReadLayers =>
  async (conversation, who, policyVersion) => {
    const unknown = (problem: string): LayersOfNow => ({ layers: 'unknown', policyVersion, problems: [problem] });
    if (conversation.settings === 'unknown' || conversation.repository === 'unknown')
      return unknown('The settings this conversation began with cannot be read.');
    const { repository } = conversation;
    const [found, own] = await Promise.allSettled([
      findRepository({ id: conversation.id, repository }, who),
      identity.conversationSettings(conversation.workspaceId, conversation.userId, settingsOf(conversation)),
    ]);
    if (found.status === 'rejected') return unknown(whyUnasked(found.reason));
    if (own.status === 'rejected') return unknown(sentenceOf(own.reason));
    const more = [
      ...(found.value.kind === 'found' ? [toLayer(found.value.settings)] : []),
      ...(own.value.version === 0 ? [] : [own.value]),
    ];
    return {
      layers: [...conversation.settings, ...more],
      policyVersion: more.length === 0 ? policyVersion : versionWith(policyVersion, more),
      problems: [],
    };
  };

/** What the person wrote for their conversation holds for its delegates, too. */
const settingsOf = ({ id, delegate }: Conversation): string => delegate?.rootId ?? id;

const toLayer = ({ text, trusted, accepted }: RepositorySettings): StoredLayer => ({
  layer: 'repository',
  version: 1 + accepted.length,
  text,
  told: trusted,
  accepted,
});

/** Equal layers have equal versions, so an unchanged policy never turns a yes stale. */
const versionWith = (policyVersion: string, more: readonly StoredLayer[]): string =>
  canonicalDigest([
    policyVersion,
    ...more.map(({ layer, text, told = true, accepted = [] }) => ({ layer, text, told, accepted: [...accepted] })),
  ]).slice(0, 32);
