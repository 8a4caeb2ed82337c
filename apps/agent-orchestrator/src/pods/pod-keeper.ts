/** Keeps this process's pods: each is watched from its start and released exactly once, and a released one is gone as a whole. */
import type { ContainerRuntime } from '@bravo/container-runtime';
import type { Identity } from '../access/identity.ts';
import { LivePods, type LivePod } from './live-pod.ts';
import type { PodStore } from './pod-store.ts';
import type { StartPod } from './start-pod.ts';

export interface PodKeeperParts {
  readonly runtime: ContainerRuntime;
  readonly identity: Identity;
  readonly store: PodStore;
  readonly startPod: StartPod;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export class PodKeeper {
  readonly live = new LivePods();
  readonly #parts: PodKeeperParts;
  readonly #closing = new AbortController();
  readonly #starting = new Set<Promise<unknown>>();
  /** Called after a pod is gone: the pool refills. */
  onReleased: () => void = () => undefined;

  constructor(parts: PodKeeperParts) {
    this.#parts = parts;
  }

  /** A ready pod that nobody has. */
  async start(): Promise<LivePod> {
    const starting = this.#parts.startPod(this.#closing.signal);
    const settled = starting.catch(() => undefined).finally(() => this.#starting.delete(settled));
    this.#starting.add(settled);
    const pod = await starting;
    this.live.add(pod);
    void this.#watch(pod.id);
    return pod;
  }

  /** Stops the pod, counts it, voids its token. What the database or identity could not hear now they hear from the sweep. */
  async release(podId: string, reason: string, graceMs = 1_000): Promise<void> {
    const pod = this.live.get(podId);
    if (!pod || !this.live.remove(podId)) return;
    const { runtime, identity, store, log } = this.#parts;
    await runtime
      .stop(podId, { graceMs })
      .catch((err: unknown) => log('a pod could not be stopped', { pod: podId, err }));
    try {
      await store.release(podId, reason);
      await identity.revokeAgentToken(pod.tokenId);
      await store.markRevoked(podId);
    } catch (err) {
      log('the end of a pod could not be recorded yet', { pod: podId, err });
    }
    log('a pod is gone', { pod: podId, conversation: pod.conversationId, reason });
    this.onReleased();
  }

  async releaseOf(conversationId: string, reason: string, graceMs?: number): Promise<void> {
    const pod = this.live.ofConversation(conversationId);
    if (pod) await this.release(pod.id, reason, graceMs);
  }

  /** Pods that are being started are given up, and no more are started. */
  startNoMore(): void {
    this.#closing.abort(new Error('the orchestrator stops'));
  }

  async close(): Promise<void> {
    this.startNoMore();
    await Promise.all(this.#starting);
    await Promise.all(this.live.all().map((pod) => this.release(pod.id, 'the orchestrator stopped', 300)));
    await this.#parts.runtime.close();
  }

  async #watch(podId: string): Promise<void> {
    const exit = await this.#parts.runtime.waitExit(podId).catch(() => undefined);
    if (!exit || exit.reason === 'stopped') return;
    this.#parts.log('a pod ended by itself', { pod: podId, exit });
    await this.release(podId, exit.reason === 'memory' ? 'it went over its memory' : 'it died', 0);
  }
}
