/** Reads what a Pod's status says of its one container: how it ended, or what keeps it from starting and what to do about it. */
import type { V1Pod } from '@kubernetes/client-node';
import type { ContainerExit } from '../container-runtime.port.ts';
import { CONTAINER } from './pod-manifest.ts';

const OUT_OF_MEMORY = 'OOMKilled';

/** Undefined while it has not ended. */
export const exitOf = (pod: V1Pod): ContainerExit | undefined => {
  const { phase, reason, message, containerStatuses = [] } = pod.status ?? {};
  const ended = containerStatuses.find(({ name }) => name === CONTAINER)?.state?.terminated;
  if (!ended && phase !== 'Failed' && phase !== 'Succeeded') return undefined;
  const words = [reason && `${reason}: ${message ?? ''}`.trim(), ended?.message].filter(Boolean).join('\n');
  return {
    reason: ended?.reason === OUT_OF_MEMORY ? 'memory' : 'exited',
    code: ended?.exitCode ?? null,
    signal: ended?.signal ? String(ended.signal) : null,
    tail: words,
  };
};

export const isRunning = (pod: V1Pod): boolean =>
  pod.status?.containerStatuses?.some(({ name, state }) => name === CONTAINER && state?.running !== undefined) === true;

/** Reasons the kubelet gives and goes on trying; a person has to do something, so they are told. */
const REMEDIES: Readonly<Record<string, string>> = {
  ErrImagePull: 'its image cannot be pulled',
  ImagePullBackOff: 'its image cannot be pulled',
  ErrImageNeverPull: 'its image is not on the node and may not be pulled',
  InvalidImageName: 'its image has a name that is none',
  CreateContainerConfigError: 'something it mounts is missing',
  CreateContainerError: 'its container cannot be made',
  RunContainerError: 'its container cannot be started',
};

const advice = (message: string): string =>
  /seccomp/i.test(message)
    ? ' The node lacks the seccomp profile: put deploy/seccomp/bravo-sandbox.json where the kubelet looks, or set agents.seccomp.type to RuntimeDefault.'
    : '';

/** One sentence why it does not start, undefined while nothing is known to be wrong. */
export const obstacleOf = (pod: V1Pod): string | undefined => {
  const { conditions = [], containerStatuses = [] } = pod.status ?? {};
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable')
    return `No node has room for the agent pod (${scheduled.message ?? 'unschedulable'}).`;
  const waiting = containerStatuses.find(({ name }) => name === CONTAINER)?.state?.waiting;
  const what = waiting?.reason === undefined ? undefined : REMEDIES[waiting.reason];
  // Its Secret is made a moment after the pod; only a lasting lack is one, and the caller's deadline sees to that.
  if (what === undefined || waiting?.reason === 'CreateContainerConfigError') return undefined;
  const message = waiting?.message ?? '';
  return `The agent pod does not start: ${what} (${message || waiting?.reason}).${advice(message)}`;
};
