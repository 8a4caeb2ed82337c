/** Looks after pods in the background: idle ones go, ended conversations keep none, lost ones are counted, void tokens stay void. */
import type { Identity } from '../access/identity.ts';
import type { PodKeeper } from './pod-keeper.ts';
import type { PodStore } from './pod-store.ts';

export interface RecyclePodsParts {
  readonly keeper: PodKeeper;
  readonly store: PodStore;
  readonly identity: Identity;
  readonly idleMs: number;
  /** After this without a sign of life another instance counts as dead. */
  readonly unseenMs: number;
  /** Lets go of the conversation whose pod is gone. */
  releaseLease(conversationId: string): Promise<void>;
  /** True while a turn of the conversation is driven here. */
  isDriven(conversationId: string): boolean;
}

/** A pod that is not there after this is not being started any more either. */
const LONGEST_START_MS = 60_000;

export const recyclePods = async (parts: RecyclePodsParts): Promise<void> => {
  const { keeper, store, identity, idleMs, unseenMs } = parts;
  // Read first: a pod that comes to be meanwhile is not one that was lost.
  const known = keeper.live.all();
  const mine = await store.heartbeat();
  const recorded = new Set(mine.map(({ id }) => id));
  for (const { id } of known) {
    if (!recorded.has(id)) await keeper.release(id, 'another instance counted it as lost', 0);
  }
  for (const { id, createdAt } of mine) {
    const old = Date.now() - createdAt.getTime() > LONGEST_START_MS;
    if (old && !keeper.live.get(id)) await store.release(id, 'its end could not be recorded at once');
  }
  const claimed = keeper.live.claimed().filter(({ conversationId }) => !parts.isDriven(conversationId ?? ''));
  const ended = new Set(await store.ended(claimed.map(({ conversationId }) => conversationId ?? '')));
  const wanted = new Set(await store.wanted());
  for (const { id, conversationId = '', lastUsedAt } of claimed) {
    const over = ended.has(conversationId);
    if (!over && !wanted.has(id) && Date.now() - lastUsedAt < idleMs) continue;
    if (!over && !(await store.isIdle(conversationId))) continue;
    await keeper.release(
      id,
      over ? 'the conversation ended' : wanted.has(id) ? 'another conversation needed its place' : 'it was idle',
    );
    await parts.releaseLease(conversationId);
  }
  await store.releaseLeft([], unseenMs);
  for (const { podId, tokenId } of await store.unrevoked(20)) {
    await identity.revokeAgentToken(tokenId);
    await store.markRevoked(podId);
  }
};
