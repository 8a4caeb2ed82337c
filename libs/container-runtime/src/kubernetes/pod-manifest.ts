/** Says a container's spec as a Pod and its Secret: restricted, without a way to the API server, its token in neither spec nor environment. */
import type { V1Pod, V1Secret } from '@kubernetes/client-node';
import type { ContainerSpec } from '../container-runtime.port.ts';
import type { PodOptions } from './pod-options.ts';

export const MANAGED_BY = 'app.kubernetes.io/managed-by';
export const MANAGER = 'bravo-orchestrator';
export const OWNER = 'bravo.dev/owner';
/** Names as the caller knows them: object names cannot hold an underscore. */
export const GIVEN_NAME = 'bravo.dev/name';
export const CONTAINER = 'agent';

const USER = 10_001;
const SECRET_DIRECTORY = '/run/bravo';
const SECRET_FILE = 'secret';
const SCRATCH = '/tmp';
const SCRATCH_SIZE = '64Mi';

/** Object name of a container or an owner. Names that differ in `_` and `-` alone meet, and the second is refused as taken. */
export const objectName = (name: string): string => name.replaceAll('_', '-').toLowerCase();

export interface HostAddress {
  readonly ip: string;
  readonly host: string;
}

/** @param hosts addresses of what it reaches: a pod is given no DNS, which could carry anything out. */
export const podManifest = (
  spec: ContainerSpec,
  owner: string,
  options: PodOptions,
  hosts: readonly HostAddress[],
): V1Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: objectName(spec.name),
    namespace: options.namespace,
    labels: { ...spec.labels, [MANAGED_BY]: MANAGER, [OWNER]: objectName(owner) },
    annotations: { [GIVEN_NAME]: spec.name },
  },
  spec: {
    restartPolicy: 'Never',
    activeDeadlineSeconds: options.deadlineSeconds,
    terminationGracePeriodSeconds: 1,
    serviceAccountName: options.serviceAccount,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    dnsPolicy: 'None',
    // A nameserver has to be named; nobody serves there.
    dnsConfig: { nameservers: ['127.0.0.1'] },
    hostAliases: hosts.map(({ ip, host }) => ({ ip, hostnames: [host] })),
    ...(options.runtimeClass !== '' && { runtimeClassName: options.runtimeClass }),
    ...(options.priorityClass !== '' && { priorityClassName: options.priorityClass }),
    ...(options.userNamespace && { hostUsers: false }),
    ...(options.imagePullSecrets.length > 0 && {
      imagePullSecrets: options.imagePullSecrets.map((name) => ({ name })),
    }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile:
        options.seccompProfile === ''
          ? { type: 'RuntimeDefault' }
          : { type: 'Localhost', localhostProfile: options.seccompProfile },
    },
    containers: [
      {
        name: CONTAINER,
        ...(spec.image !== undefined && { image: spec.image }),
        imagePullPolicy: options.imagePullPolicy,
        command: [...spec.command],
        workingDir: SCRATCH,
        env: Object.entries({
          ...spec.env,
          HOME: SCRATCH,
          TMPDIR: SCRATCH,
          [spec.secret.sourceVariable]: `file:${SECRET_DIRECTORY}/${SECRET_FILE}`,
          // Its network is its own, and the policy of the namespace says who may come in.
          [spec.listen.hostVariable]: '0.0.0.0',
          [spec.listen.portVariable]: String(options.port),
        }).map(([name, value]) => ({ name, value })),
        ports: [{ name: 'chat', containerPort: options.port }],
        resources: {
          requests: { ...options.requests },
          limits: { cpu: options.cpuLimit, memory: String(spec.memoryLimitBytes) },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          capabilities: { drop: ['ALL'] },
        },
        // The last words of a program that ended, without any right to read logs.
        terminationMessagePolicy: 'FallbackToLogsOnError',
        volumeMounts: [
          { name: 'scratch', mountPath: SCRATCH },
          { name: 'secret', mountPath: SECRET_DIRECTORY, readOnly: true },
        ],
      },
    ],
    volumes: [
      { name: 'scratch', emptyDir: { sizeLimit: SCRATCH_SIZE } },
      {
        name: 'secret',
        secret: {
          secretName: objectName(spec.name),
          defaultMode: 0o440,
          items: [{ key: SECRET_FILE, path: SECRET_FILE }],
        },
      },
    ],
  },
});

/** Owned by its pod, so that it goes with it whoever deletes that. */
export const secretManifest = (spec: ContainerSpec, owner: string, options: PodOptions, pod: V1Pod): V1Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: objectName(spec.name),
    namespace: options.namespace,
    labels: { [MANAGED_BY]: MANAGER, [OWNER]: objectName(owner) },
    ownerReferences: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        name: pod.metadata?.name ?? '',
        uid: pod.metadata?.uid ?? '',
        blockOwnerDeletion: false,
      },
    ],
  },
  type: 'Opaque',
  immutable: true,
  data: { [SECRET_FILE]: Buffer.from(spec.secret.value).toString('base64') },
});
