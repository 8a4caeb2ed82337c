/** What an operator decides about agent pods once, for all of them. */

export interface PodOptions {
  readonly namespace: string;
  /** Account without a token and without rights; only its name stands in a pod. */
  readonly serviceAccount: string;
  readonly imagePullPolicy: 'IfNotPresent' | 'Always' | 'Never';
  readonly imagePullSecrets: readonly string[];
  /** RuntimeClass, such as one of gVisor or Kata; '' is the cluster's own. */
  readonly runtimeClass: string;
  /** Path of our profile below the kubelet's seccomp directory; '' takes the runtime's default, which allows more. */
  readonly seccompProfile: string;
  readonly priorityClass: string;
  /** Kubernetes quantities; the memory limit is the spec's. */
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly cpuLimit: string;
  /** A user namespace of its own (`hostUsers: false`), where the node can. */
  readonly userNamespace: boolean;
  /** No pod outlives this, whatever became of its orchestrator. */
  readonly deadlineSeconds: number;
  /** Port the program listens at; the address of each pod is its own. */
  readonly port: number;
}
