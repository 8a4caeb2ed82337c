/** Makes room for a conversation where the workspace's places are taken by idle pods; a pod with work to do is never asked to go. */
import type { PodStore } from './pod-store.ts';

export interface MakePlaceParts {
  readonly store: Pick<PodStore, 'giveWay' | 'isReleased'>;
  /** Longest wait for the pod to go; whoever keeps it looks about once a second. */
  readonly patienceMs: number;
  sleep(ms: number): Promise<void>;
  now(): number;
}

const LOOK_MS = 50;

/** @returns whether an idle pod went. Its conversation goes on with a fresh pod at its next message. */
export type MakePlace = (workspaceId: string) => Promise<boolean>;

export const createMakePlace =
  ({ store, patienceMs, sleep, now }: MakePlaceParts): MakePlace =>
  async (workspaceId) => {
    const podId = await store.giveWay(workspaceId);
    if (podId === undefined) return false;
    for (const deadline = now() + patienceMs; now() < deadline; await sleep(LOOK_MS)) {
      if (await store.isReleased(podId)) return true;
    }
    return false;
  };
