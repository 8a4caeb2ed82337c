/** A pod of this process. Its secret lives here and in the pod alone: nothing else can speak to it, not even after a restart. */
import type { Endpoint } from '@bravo/container-runtime';

export interface LivePod {
  readonly id: string;
  readonly tokenId: string;
  readonly startedAt: Date;
  readonly tokenExpiresAt: Date;
  /** What the orchestrator shows the pod. */
  readonly secret: string;
  readonly endpoint: Endpoint;
  /** Undefined while it is warm. */
  conversationId: string | undefined;
  /** When a turn last began or ended in it. */
  lastUsedAt: number;
}

/** Whether its token outlives a turn of `turnMs`; one that was short from the start has to be good for half its life. */
export const tokenLasts = (
  pod: Pick<LivePod, 'startedAt' | 'tokenExpiresAt'>,
  turnMs: number,
  now = Date.now(),
): boolean => {
  const life = pod.tokenExpiresAt.getTime() - pod.startedAt.getTime();
  return pod.tokenExpiresAt.getTime() - now > Math.min(turnMs, life / 2);
};

/** Where the pods of this process are, and which conversation has which. */
export class LivePods {
  readonly #pods = new Map<string, LivePod>();

  add(pod: LivePod): void {
    this.#pods.set(pod.id, pod);
  }
  /** @returns whether it was there. */
  remove(podId: string): boolean {
    return this.#pods.delete(podId);
  }
  get(podId: string): LivePod | undefined {
    return this.#pods.get(podId);
  }
  ofConversation(conversationId: string): LivePod | undefined {
    return this.all().find((pod) => pod.conversationId === conversationId);
  }
  warm(): LivePod[] {
    return this.all().filter((pod) => pod.conversationId === undefined);
  }
  claimed(): LivePod[] {
    return this.all().filter((pod) => pod.conversationId !== undefined);
  }
  all(): LivePod[] {
    return [...this.#pods.values()];
  }
}
