/** Opens the container runtime the operator chose; a setting that does not go with it is refused before anything starts. */
import type { AppName } from '@bravo/config';
import { type agentOrchestratorSettings, ConfigError, type ConfigOf, POD_USERS } from '@bravo/config';
import type { ContainerRuntime } from '@bravo/container-runtime';
import { openKubernetesContainerRuntime } from '@bravo/container-runtime/kubernetes';
import { openLocalContainerRuntime } from '@bravo/container-runtime/local';

type Config = ConfigOf<typeof agentOrchestratorSettings>;
type Notice = (notice: string, about: Readonly<Record<string, unknown>>) => void;

const APP: AppName = 'agent-orchestrator';
/** Port of the pod contract; every pod has an address of its own. */
const POD_PORT = 42_617;
/** Above the life of a token: nothing in it can work any longer. */
const DEADLINE_SECONDS = 13 * 3_600;

const openLocal = (config: Config, owner: string, onNotice: Notice): Promise<ContainerRuntime> =>
  openLocalContainerRuntime({
    owner,
    directory: config.podsDirectory,
    uids: { first: config.podFirstUid, count: POD_USERS },
    containment: { ociRuntime: config.ociRuntime, seccompProfile: config.seccompProfile },
    node: config.podNode,
    // In production nothing but containers will do, whatever was asked for.
    insecure: config.insecurePods && config.env !== 'production',
    onNotice,
  });

const openKubernetes = (config: Config, owner: string, onNotice: Notice): Promise<ContainerRuntime> => {
  const mistakes = [
    ...(config.podImage === ''
      ? ['BRAVO_POD_IMAGE is not set: pods of a cluster run an image. The chart sets it.']
      : []),
    ...(config.insecurePods ? ['BRAVO_INSECURE_PODS goes with local pods only: unset it.'] : []),
  ];
  if (mistakes.length > 0) throw new ConfigError(APP, mistakes);
  return openKubernetesContainerRuntime({
    owner,
    kubeconfig: config.podKubeconfig,
    pods: {
      namespace: config.podNamespace,
      serviceAccount: config.podServiceAccount,
      imagePullPolicy: config.podImagePullPolicy,
      imagePullSecrets: config.podImagePullSecrets,
      runtimeClass: config.podRuntimeClass,
      seccompProfile: config.podSeccompProfile,
      priorityClass: config.podPriorityClass,
      requests: { cpu: config.podCpuRequest, memory: config.podMemoryRequest },
      cpuLimit: config.podCpuLimit,
      userNamespace: config.podUserNamespace,
      deadlineSeconds: DEADLINE_SECONDS,
      port: POD_PORT,
    },
    onNotice,
  });
};

/** @throws ConfigError where settings contradict, and what the cluster or the machine refuses. */
export const openRuntime = (config: Config, owner: string, onNotice: Notice): Promise<ContainerRuntime> =>
  config.containerRuntime === 'kubernetes'
    ? openKubernetes(config, owner, onNotice)
    : openLocal(config, owner, onNotice);
