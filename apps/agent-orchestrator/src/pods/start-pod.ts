/** Starts one unbound pod and returns it once it is ready to be claimed; what fails leaves no process, row or live token. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerRuntime } from '@bravo/container-runtime';
import { Fault, toFault } from '@bravo/faults';
import type { Identity } from '../access/identity.ts';
import type { LivePod } from './live-pod.ts';
import type { ProbePod } from './probe-pod.ts';
import { type PodPrograms, podSpec } from './pod-spec.ts';
import type { PodStore } from './pod-store.ts';

export interface StartPodParts {
  readonly runtime: ContainerRuntime;
  readonly identity: Identity;
  readonly store: PodStore;
  readonly programs: PodPrograms;
  readonly probe: ProbePod;
  readonly newPodId: () => string;
  /** Upper bound of a token's life; every earlier end of the pod revokes it. */
  readonly tokenTtlSeconds: number;
  readonly readyTimeoutMs: number;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

export type StartPod = (signal: AbortSignal) => Promise<LivePod>;

const PROBE_EVERY_MS = 100;

export const createStartPod =
  (parts: StartPodParts): StartPod =>
  async (signal) => {
    const { runtime, identity, store, programs, newPodId, tokenTtlSeconds, log } = parts;
    const id = newPodId();
    const startedAt = new Date();
    const secret = randomBytes(32).toString('hex');
    const { tokenId, token, expiresAt } = await identity.mintAgentToken(id, tokenTtlSeconds);
    try {
      await store.insert({ id, tokenId, tokenExpiresAt: expiresAt });
      await runtime.spawn(podSpec(programs, { id, token, secret }));
      const endpoint = await untilReady(parts, id, secret, signal);
      await store.markWarm(id);
      log('a pod is ready', { pod: id });
      return {
        id,
        tokenId,
        startedAt,
        tokenExpiresAt: expiresAt,
        secret,
        endpoint,
        conversationId: undefined,
        lastUsedAt: Date.now(),
      };
    } catch (error) {
      await runtime
        .stop(id, { graceMs: 0 })
        .catch((cause: unknown) => log('a pod could not be stopped', { pod: id, err: cause }));
      // The row, once there, is what gets the token revoked; before that it has to be done here.
      await store.release(id, 'it did not become ready').catch(() => undefined);
      await identity.revokeAgentToken(tokenId).catch(() => undefined);
      const fault = toFault(error);
      throw fault.code === 'internal'
        ? new Fault('pod_unavailable', 'An agent pod could not be started. Try again in a moment.', { cause: error })
        : fault;
    }
  };

const untilReady = async (
  { runtime, probe, readyTimeoutMs, log }: StartPodParts,
  id: string,
  secret: string,
  signal: AbortSignal,
) => {
  let obstacle: string | undefined;
  for (const deadline = Date.now() + readyTimeoutMs; Date.now() < deadline;) {
    signal.throwIfAborted();
    const found = await runtime.inspect(id);
    obstacle = found?.obstacle;
    if (!found || found.exit) {
      log('a pod ended before it was ready', { pod: id, exit: found?.exit });
      throw new Fault(
        'pod_unavailable',
        'The agent pod ended before it was ready. The log of the orchestrator has its last words.',
      );
    }
    if (found.endpoint && (await probe(found.endpoint, secret, signal))) return found.endpoint;
    await sleep(PROBE_EVERY_MS, undefined, { signal });
  }
  if (obstacle !== undefined) throw new Fault('pod_unavailable', obstacle);
  throw new Fault(
    'pod_unavailable',
    `The agent pod was not ready within ${readyTimeoutMs / 1000} s: it was given no tools. Is the tool-broker up?`,
  );
};
