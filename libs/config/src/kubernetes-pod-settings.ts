/** What the orchestrator is told of agent pods on Kubernetes; nothing of it is read by the local runtime. */
import { z } from 'zod';
import { flag, setting, type Settings } from './setting.ts';

const text = z.string().default('');
const names = text.transform((list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean),
);
const quantity = (fallback: string) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?(m|[KMG]i?)?$/, 'must be a Kubernetes quantity such as 50m or 96Mi')
    .default(fallback);

export const kubernetesPodSettings = {
  podNamespace: setting('BRAVO_POD_NAMESPACE', z.string().default('bravo-agents'), "Namespace of the agents' Pods."),
  podImage: setting('BRAVO_POD_IMAGE', text, "Image of the agents' Pods; Kubernetes only."),
  podImagePullPolicy: setting(
    'BRAVO_POD_IMAGE_PULL_POLICY',
    z.enum(['IfNotPresent', 'Always', 'Never']).default('IfNotPresent'),
    "When the agents' image is pulled.",
  ),
  podImagePullSecrets: setting('BRAVO_POD_IMAGE_PULL_SECRETS', names, 'Names of pull Secrets, separated by commas.'),
  podServiceAccount: setting(
    'BRAVO_POD_SERVICE_ACCOUNT',
    z.string().default('bravo-agent'),
    'ServiceAccount of an agent Pod; it is given no token.',
  ),
  podRuntimeClass: setting(
    'BRAVO_POD_RUNTIME_CLASS',
    text,
    "RuntimeClass of an agent Pod, such as gvisor; empty is the cluster's own.",
  ),
  podSeccompProfile: setting(
    'BRAVO_POD_SECCOMP_PROFILE',
    text,
    "Seccomp profile below the kubelet's directory; empty takes the runtime's default, which allows more.",
  ),
  podPriorityClass: setting('BRAVO_POD_PRIORITY_CLASS', text, 'PriorityClass of an agent Pod.'),
  podCpuRequest: setting('BRAVO_POD_CPU_REQUEST', quantity('20m'), 'Processor an agent Pod reserves.'),
  podCpuLimit: setting('BRAVO_POD_CPU_LIMIT', quantity('1'), 'Processor an agent Pod may take.'),
  podMemoryRequest: setting(
    'BRAVO_POD_MEMORY_REQUEST',
    quantity('96Mi'),
    'Memory an agent Pod reserves; its limit is 512 MiB.',
  ),
  podUserNamespace: setting(
    'BRAVO_POD_USER_NAMESPACE',
    flag.default(false),
    'Gives each agent Pod a user namespace of its own (hostUsers: false), where the nodes can.',
  ),
  podKubeconfig: setting(
    'BRAVO_KUBECONFIG',
    text,
    'Kubeconfig of the cluster the Pods run in; empty takes the account of the Pod the orchestrator runs in.',
  ),
} as const satisfies Settings;
