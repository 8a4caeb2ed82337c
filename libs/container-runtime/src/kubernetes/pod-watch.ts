/** Follows pods over one connection: a list, then a watch from where it ended; listed anew when the server forgot that place (410). */
import { setTimeout as sleep } from 'node:timers/promises';
import { type CoreV1Api, type KubeConfig, type V1Pod, Watch } from '@kubernetes/client-node';

export interface PodWatchParts {
  readonly config: KubeConfig;
  readonly api: CoreV1Api;
  readonly namespace: string;
  readonly labelSelector: string;
  /** `pod` as it is now. */
  readonly onPod: (pod: V1Pod) => void;
  /** The names that are left after a list: whoever is not among them has gone meanwhile. */
  readonly onListed: (uids: ReadonlySet<string>) => void;
  readonly onGone: (pod: V1Pod) => void;
  readonly onTrouble: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
const GONE = 410;

interface WatchStatus {
  readonly code?: number;
  readonly message?: string;
}

export class PodWatch {
  readonly #parts: PodWatchParts;
  readonly #closing = new AbortController();
  /** '' means: list first. */
  #version = '';
  #current: AbortController | undefined;
  /** How often it began from a list; for tests and the log. */
  lists = 0;

  constructor(parts: PodWatchParts) {
    this.#parts = parts;
  }

  /** Resolves after the first list; goes on until `close`. Rejects when that list cannot be had. */
  async start(): Promise<void> {
    await this.#list();
    void this.#follow();
  }

  close(): void {
    this.#closing.abort();
    this.#current?.abort();
  }

  /** Begins again from a place the server no longer knows; what a long break of the connection does. */
  restartFrom(version: string): void {
    this.#version = version;
    this.#current?.abort();
  }

  async #list(): Promise<void> {
    const { api, namespace, labelSelector, onPod, onListed } = this.#parts;
    const { items, metadata } = await api.listNamespacedPod({ namespace, labelSelector });
    this.lists += 1;
    for (const pod of items) onPod(pod);
    onListed(new Set(items.map((pod) => pod.metadata?.uid ?? '')));
    this.#version = metadata?.resourceVersion ?? '';
  }

  async #follow(): Promise<void> {
    let failures = 0;
    while (!this.#closing.signal.aborted) {
      try {
        if (this.#version === '') await this.#list();
        await this.#watchOnce();
        failures = 0;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        failures += 1;
        if (failures > 1) this.#parts.onTrouble(error);
        const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
        await sleep(pause, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      }
    }
  }

  /** Resolves when the connection ends as connections do; rejects on trouble, having forgotten the place if that was it. */
  #watchOnce(): Promise<void> {
    const { config, namespace, labelSelector } = this.#parts;
    return new Promise((resolve, reject) => {
      const ended = (error: unknown): void => {
        const { name, statusCode, code } = (error ?? {}) as { name?: string; statusCode?: number; code?: number };
        if (statusCode === GONE || code === GONE) this.#version = '';
        if (!error || name === 'TimeoutError' || name === 'AbortError' || this.#version === '') resolve();
        else reject(error as Error);
      };
      new Watch(config)
        .watch(
          `/api/v1/namespaces/${namespace}/pods`,
          { resourceVersion: this.#version, allowWatchBookmarks: true, labelSelector },
          (phase: string, object: unknown) => this.#take(phase, object as V1Pod & WatchStatus),
          ended,
        )
        .then((controller) => {
          this.#current = controller;
          if (this.#closing.signal.aborted) controller.abort();
        }, reject);
    });
  }

  #take(phase: string, object: V1Pod & WatchStatus): void {
    if (phase === 'ERROR') {
      if (object.code === GONE) this.#version = '';
      else this.#parts.onTrouble(new Error(object.message ?? 'the watch of pods failed'));
      this.#current?.abort();
      return;
    }
    this.#version = object.metadata?.resourceVersion ?? this.#version;
    if (phase === 'DELETED') this.#parts.onGone(object);
    else if (phase !== 'BOOKMARK') this.#parts.onPod(object);
  }
}
