/** Gives a conversation the one pod it may have: its own, a warm one claimed by compare-and-set, or a new one. */
import { Fault, isFault } from '@bravo/faults';
import type { Identity } from '../access/identity.ts';
import type { Owner } from '../conversations/conversation.ts';
import { type LivePod, tokenLasts } from './live-pod.ts';
import type { PodKeeper } from './pod-keeper.ts';
import type { PodStore } from './pod-store.ts';

export interface EnsureAgentPodParts {
  readonly keeper: PodKeeper;
  readonly store: PodStore;
  readonly identity: Identity;
  /** Longest turn: a token has to outlive it. */
  readonly turnMs: number;
}

const ATTEMPTS = 3;

/** @throws Fault pod_unavailable and whatever identity refuses with. */
export type EnsureAgentPod = (conversationId: string, owner: Owner, rootId?: string) => Promise<LivePod>;

export const createEnsureAgentPod = ({ keeper, store, identity, turnMs }: EnsureAgentPodParts): EnsureAgentPod => {
  const lasts = (pod: LivePod): boolean => tokenLasts(pod, turnMs);

  /** @returns false when another conversation was faster. */
  const claim = async (
    pod: LivePod,
    conversationId: string,
    owner: Owner,
    warm: boolean,
    since: number,
    rootConversationId: string | undefined,
  ): Promise<boolean> => {
    if (pod.conversationId !== undefined) return false;
    // Set before anything is awaited: within this process nobody else takes it from here on.
    pod.conversationId = conversationId;
    try {
      if (!(await store.claim({ podId: pod.id, conversationId, owner, warm, durationMs: Date.now() - since }))) {
        throw new Fault('pod_unavailable', 'The agent pod was taken away. Try again.');
      }
      await identity.bindAgentToken(pod.tokenId, { ...owner, conversationId, rootConversationId });
    } catch (error) {
      await keeper.release(pod.id, 'it could not be claimed', 0);
      throw error;
    }
    pod.lastUsedAt = Date.now();
    keeper.onReleased();
    return true;
  };

  return async (conversationId, owner, rootId) => {
    const since = Date.now();
    const own = keeper.live.ofConversation(conversationId);
    if (own && lasts(own)) {
      own.lastUsedAt = Date.now();
      return own;
    }
    if (own) await keeper.release(own.id, 'its token is about to expire');
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      for (const pod of keeper.live.warm().filter(lasts)) {
        try {
          if (await claim(pod, conversationId, owner, true, since, rootId)) return pod;
        } catch (error) {
          // A pod that was spoilt while it waited is no reason to refuse: the next one may be good.
          if (!isFault(error) || !['pod_unavailable', 'not_found', 'conflict'].includes(error.code)) throw error;
        }
      }
      const pod = await keeper.start();
      if (await claim(pod, conversationId, owner, false, since, rootId)) return pod;
      // Another conversation that looked at the same moment was faster; there is one more pod to be had.
    }
    throw new Fault('pod_unavailable', 'Every agent pod that was started went to another conversation. Try again.');
  };
};
