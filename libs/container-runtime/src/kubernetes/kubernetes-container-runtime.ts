/** The port over Kubernetes: one Pod per container in the agents' namespace, followed by one watch; it touches no pod it does not own. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CoordinationV1Api, CoreV1Api, KubeConfig, type V1Pod } from '@kubernetes/client-node';
import { Fault } from '@bravo/faults';
import type {
  Container,
  ContainerExit,
  ContainerRuntime,
  ContainerSpec,
  Endpoint,
  RuntimeDescription,
  SweepReport,
} from '../container-runtime.port.ts';
import { refusedSpawn } from './api-refusals.ts';
import { type Held, LOST, newHeld, serves, tellHeld } from './held-pod.ts';
import { isStatus, LEASE_SECONDS, OwnerLeases } from './owner-leases.ts';
import { GIVEN_NAME, type HostAddress, objectName, OWNER, podManifest, secretManifest } from './pod-manifest.ts';
import type { PodOptions } from './pod-options.ts';
import { exitOf, isRunning } from './pod-status.ts';
import { PodWatch } from './pod-watch.ts';

export interface KubernetesRuntimeOptions {
  readonly owner: string;
  /** File with a kubeconfig; '' takes the account of the pod this runs in. */
  readonly kubeconfig: string;
  readonly pods: PodOptions;
  readonly onNotice: (notice: string, about: Readonly<Record<string, unknown>>) => void;
}

const RENEW_MS = (LEASE_SECONDS * 1000) / 4;
/** Requests under way at once: a burst of messages must not become one of the API server. */
const MOST_AT_ONCE = 8;
const GONE_MS = 60_000;
class KubernetesContainerRuntime implements ContainerRuntime {
  readonly owner: string;
  readonly #options: KubernetesRuntimeOptions;
  readonly #api: CoreV1Api;
  readonly #leases: OwnerLeases;
  readonly #watch: PodWatch;
  readonly #held = new Map<string, Held>();
  readonly #renewing: NodeJS.Timeout;
  #atOnce = 0;

  constructor(config: KubeConfig, options: KubernetesRuntimeOptions) {
    this.owner = options.owner;
    this.#options = options;
    this.#api = config.makeApiClient(CoreV1Api);
    const { namespace } = options.pods;
    const api = config.makeApiClient(CoordinationV1Api);
    this.#leases = new OwnerLeases({ api, namespace, owner: options.owner, now: () => new Date() });
    this.#watch = new PodWatch({
      config,
      api: this.#api,
      namespace,
      labelSelector: `${OWNER}=${objectName(options.owner)}`,
      onPod: (pod) => this.#see(pod),
      onGone: (pod) => this.#forget(pod.metadata?.uid),
      onListed: (uids) => {
        for (const { uid } of this.#held.values()) if (!uids.has(uid)) this.#forget(uid);
      },
      onTrouble: (err) => options.onNotice('the watch of pods is being taken up again', { err }),
    });
    this.#renewing = setInterval(() => {
      this.#leases.renew().catch((err: unknown) => options.onNotice('the lease of pods could not be renewed', { err }));
    }, RENEW_MS);
    this.#renewing.unref();
  }

  async begin(): Promise<void> {
    await this.#leases.begin();
    await this.#watch.start();
  }

  /** For tests: the watch takes up from a place the server has long forgotten. */
  get watch(): PodWatch {
    return this.#watch;
  }

  async spawn(spec: ContainerSpec): Promise<Container> {
    if (this.#held.has(spec.name)) throw new Fault('conflict', `There is a container named ${spec.name} already.`);
    const { pods } = this.#options;
    const hosts = await this.#addresses(spec.reaches);
    const held = await this.#withPlace(async () => {
      const pod = await this.#api
        .createNamespacedPod({ namespace: pods.namespace, body: podManifest(spec, this.owner, pods, hosts) })
        .catch((error: unknown) => {
          throw refusedSpawn(spec.name, error);
        });
      const made = this.#hold(spec, pod);
      // After the pod, so that it can be the pod's own from the first moment; the kubelet waits for it.
      await this.#api
        .createNamespacedSecret({ namespace: pods.namespace, body: secretManifest(spec, this.owner, pods, pod) })
        .catch(async (error: unknown) => {
          await this.stop(spec.name, { graceMs: 0 }).catch(() => undefined);
          throw refusedSpawn(spec.name, error);
        });
      return made;
    });
    return tellHeld(held);
  }

  describe(): Promise<RuntimeDescription> {
    return Promise.resolve({ isolation: 'contained', reason: '' });
  }

  async stop(name: string, { graceMs = 1_000 }: { readonly graceMs?: number } = {}): Promise<void> {
    const held = this.#held.get(name);
    if (!held) return;
    held.stopping = true;
    const { namespace } = this.#options.pods;
    const objects = { name: objectName(name), namespace };
    await this.#withPlace(() =>
      this.#api
        // Never 0: that would take the object away while its processes may still run.
        .deleteNamespacedPod({
          ...objects,
          body: { gracePeriodSeconds: Math.max(1, Math.round(graceMs / 1000)), preconditions: { uid: held.uid } },
        })
        .catch((error: unknown) => {
          if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
          held.gone = true;
        }),
    );
    await this.#untilGone(held);
    this.#end(held, { reason: 'stopped', code: null, signal: null, tail: '' });
    this.#held.delete(name);
  }

  async inspect(name: string): Promise<Container | undefined> {
    const held = this.#held.get(name);
    if (!held) return undefined;
    await this.#findEndpoint(held);
    return tellHeld(held);
  }

  async list(labels: Readonly<Record<string, string>> = {}): Promise<readonly Container[]> {
    const wanted = Object.entries(labels);
    const found = [...this.#held.values()].filter(({ spec }) =>
      wanted.every(([key, value]) => spec.labels[key] === value),
    );
    await Promise.all(found.map((held) => this.#findEndpoint(held)));
    return found.map((held) => tellHeld(held));
  }

  waitExit(name: string): Promise<ContainerExit> {
    const held = this.#held.get(name);
    if (!held) return Promise.reject(new Fault('not_found', `There is no container named ${name}.`));
    const { exit } = held;
    return exit ? Promise.resolve(exit) : new Promise((resolve) => held.waiting.add(resolve));
  }

  async sweep(): Promise<SweepReport> {
    const { namespace } = this.#options.pods;
    const deadOwners = await this.#leases.takeDead();
    const containers: string[] = [];
    for (const owner of deadOwners) {
      const { items } = await this.#api.listNamespacedPod({
        namespace,
        labelSelector: `${OWNER}=${objectName(owner)}`,
      });
      for (const { metadata } of items) {
        await this.#api
          .deleteNamespacedPod({
            name: metadata?.name ?? '',
            namespace,
            body: { gracePeriodSeconds: 1, preconditions: { uid: metadata?.uid ?? '' } },
          })
          .catch((error: unknown) => {
            if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
          });
        containers.push(metadata?.annotations?.[GIVEN_NAME] ?? metadata?.name ?? '');
      }
      await this.#leases.end(owner);
    }
    return { deadOwners, containers };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((name) => this.stop(name, { graceMs: 0 })));
    clearInterval(this.#renewing);
    this.#watch.close();
    await this.#leases.end();
  }

  /** Dies as a process would that is killed: nothing is stopped, nothing renewed. For tests. */
  abandon(): void {
    clearInterval(this.#renewing);
    this.#watch.close();
  }

  async #addresses(reaches: readonly Endpoint[]): Promise<HostAddress[]> {
    const names = [...new Set(reaches.map(({ host }) => host))].filter((host) => isIP(host) === 0);
    return Promise.all(
      names.map(async (host) => {
        try {
          return { host, ip: (await lookup(host)).address };
        } catch (cause) {
          throw new Fault(
            'pod_unavailable',
            `The address of ${host}, which an agent pod needs, is not to be found. Is its Service there?`,
            { cause },
          );
        }
      }),
    );
  }

  #hold(spec: ContainerSpec, pod: V1Pod): Held {
    const held = newHeld(spec, pod);
    this.#held.set(spec.name, held);
    return held;
  }

  #ofUid(uid: string | undefined): Held | undefined {
    return [...this.#held.values()].find((held) => held.uid === uid);
  }

  #see(pod: V1Pod): void {
    const held = this.#ofUid(pod.metadata?.uid);
    if (!held) return;
    held.pod = pod;
    const exit = exitOf(pod);
    if (exit) this.#end(held, held.stopping ? { ...exit, reason: 'stopped' } : exit);
  }

  #forget(uid: string | undefined): void {
    const held = this.#ofUid(uid);
    if (!held) return;
    held.gone = true;
    if (!held.stopping) this.#end(held, LOST);
    for (const tell of held.watchers) tell();
  }

  #end(held: Held, exit: ContainerExit): void {
    held.exit ??= exit;
    for (const tell of held.waiting) tell(held.exit);
    held.waiting.clear();
  }

  async #findEndpoint(held: Held): Promise<void> {
    const host = held.pod.status?.podIP;
    if (held.endpoint || held.exit || !host || !isRunning(held.pod)) return;
    const endpoint = { host, port: this.#options.pods.port };
    if (await serves(endpoint)) held.endpoint = endpoint;
  }

  /** The object goes after the kubelet has ended every process of it. */
  async #untilGone(held: Held): Promise<void> {
    for (const deadline = Date.now() + GONE_MS; !held.gone && Date.now() < deadline;) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 2_000);
        function done(): void {
          clearTimeout(timer);
          held.watchers.delete(done);
          resolve();
        }
        held.watchers.add(done);
      });
      if (held.gone) break;
      // Not told for a while: the watch may just be between two connections.
      const { namespace } = this.#options.pods;
      await this.#api.readNamespacedPod({ name: objectName(held.spec.name), namespace }).then(
        (pod) => (held.gone = pod.metadata?.uid !== held.uid),
        (error: unknown) => (held.gone = isStatus(error, 404)),
      );
    }
    if (!held.gone)
      this.#options.onNotice('a pod is not gone after a minute; its deadline ends it', { pod: held.spec.name });
  }

  async #withPlace<T>(use: () => Promise<T>): Promise<T> {
    while (this.#atOnce >= MOST_AT_ONCE) await sleep(10);
    this.#atOnce += 1;
    try {
      return await use();
    } finally {
      this.#atOnce -= 1;
    }
  }
}

export const openKubernetesContainerRuntime = async (
  options: KubernetesRuntimeOptions,
): Promise<KubernetesContainerRuntime> => {
  const config = new KubeConfig();
  if (options.kubeconfig === '') config.loadFromCluster();
  else config.loadFromFile(options.kubeconfig);
  const runtime = new KubernetesContainerRuntime(config, options);
  await runtime.begin();
  return runtime;
};
