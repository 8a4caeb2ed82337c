/** What this instance remembers of one pod of its own, and how it tells of it. */
import { connect } from 'node:net';
import type { V1Pod } from '@kubernetes/client-node';
import type { Container, ContainerExit, ContainerSpec, Endpoint } from '../container-runtime.port.ts';
import { obstacleOf } from './pod-status.ts';

export interface Held {
  readonly spec: ContainerSpec;
  readonly uid: string;
  pod: V1Pod;
  endpoint: Endpoint | undefined;
  exit: ContainerExit | undefined;
  stopping: boolean;
  gone: boolean;
  readonly waiting: Set<(exit: ContainerExit) => void>;
  readonly watchers: Set<() => void>;
}

const CONNECT_MS = 1_000;

export const LOST: ContainerExit = {
  reason: 'exited',
  code: null,
  signal: null,
  tail: 'Its pod was deleted from outside: a drain, an eviction or a person.',
};

export const serves = ({ host, port }: Endpoint): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const tell = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', tell(true)).once('timeout', tell(false)).once('error', tell(false));
  });

export const newHeld = (spec: ContainerSpec, pod: V1Pod): Held => ({
  ...{ spec, uid: pod.metadata?.uid ?? '', pod, endpoint: undefined, exit: undefined, stopping: false, gone: false },
  ...{ waiting: new Set<(exit: ContainerExit) => void>(), watchers: new Set<() => void>() },
});

export const tellHeld = ({ spec, endpoint, exit, pod }: Held): Container => {
  const obstacle = exit ? undefined : obstacleOf(pod);
  return {
    name: spec.name,
    labels: spec.labels,
    state: exit ? 'exited' : 'running',
    ...(endpoint && !exit && { endpoint }),
    ...(exit && { exit }),
    ...(obstacle !== undefined && { obstacle }),
  };
};
