/** The contract against a real API server and kubelet; where there is none the run of the tests says so and this is skipped. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CoordinationV1Api, CoreV1Api, KubeConfig, V1MicroTime } from '@kubernetes/client-node';
import {
  ask,
  contractSpec,
  describeContainerRuntime,
  untilServing,
  type ContainerRuntimeHarness,
} from '../container-runtime.contract.ts';
import { openKubernetesContainerRuntime } from './kubernetes-container-runtime.ts';
import { objectName, OWNER } from './pod-manifest.ts';
import type { PodOptions } from './pod-options.ts';

// Set by `./bravo test --cluster`, which has loaded the image.
const kubeconfig = process.env['BRAVO_TEST_CLUSTER_KUBECONFIG'] ?? '';
const image = process.env['BRAVO_TEST_CLUSTER_IMAGE'] ?? '';
const seccompProfile = process.env['BRAVO_TEST_CLUSTER_SECCOMP'] ?? '';
const runtimeClass = process.env['BRAVO_TEST_CLUSTER_RUNTIME_CLASS'] ?? '';
const NODE = '/usr/local/bin/node';
const namespace = `bravo-contract-${Math.random().toString(36).slice(2, 8)}`;

const options: PodOptions = {
  ...{ namespace, serviceAccount: 'default', imagePullPolicy: 'Never', imagePullSecrets: [], priorityClass: '' },
  ...{ runtimeClass, seccompProfile, userNamespace: false, deadlineSeconds: 600, port: 42_617 },
  ...{ requests: { cpu: '10m', memory: '64Mi' }, cpuLimit: '1' },
};

let owners = 0;
const open = (more: Partial<PodOptions> = {}) =>
  openKubernetesContainerRuntime({
    owner: `op_${process.pid}x${(owners += 1)}`,
    kubeconfig,
    pods: { ...options, ...more },
    onNotice: () => undefined,
  });

const harness: ContainerRuntimeHarness = {
  open,
  program: (source) => ({ image, command: [NODE, '-e', source] }),
  cleanUp: () => Promise.resolve(),
  stopWithinMs: 15_000,
};

const untilTrue = async (what: string, check: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await new Promise((done) => setTimeout(done, 100)))
    if (await check()) return;
  throw new Error(`waited in vain for ${what}`);
};

(kubeconfig === '' ? describe.skip : describe)('on a cluster', () => {
  const config = new KubeConfig();
  let core: CoreV1Api;
  let leases: CoordinationV1Api;
  beforeAll(async () => {
    config.loadFromFile(kubeconfig);
    core = config.makeApiClient(CoreV1Api);
    leases = config.makeApiClient(CoordinationV1Api);
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await core.createNamespace({ body: { metadata: { name: namespace, labels } } });
    await untilTrue('the account of the namespace', () =>
      core.readNamespacedServiceAccount({ name: 'default', namespace }).then(
        () => true,
        () => false,
      ),
    );
  }, 60_000);
  afterAll(async () => {
    await core.deleteNamespace({ name: namespace });
  }, 60_000);

  describeContainerRuntime('Kubernetes', harness);

  it('keeps the token out of the spec, gives it no account, and lets the Secret go with the pod', async () => {
    const runtime = await open();
    await runtime.spawn(contractSpec(harness, 'pod_one'));
    await untilServing(runtime, 'pod_one');
    const pod = await core.readNamespacedPod({ name: 'pod-one', namespace });
    expect(JSON.stringify(pod)).not.toContain('secret of pod_one');
    expect(pod.spec?.automountServiceAccountToken).toBe(false);
    const secret = await core.readNamespacedSecret({ name: 'pod-one', namespace });
    expect(secret.metadata?.ownerReferences).toMatchObject([{ kind: 'Pod', uid: pod.metadata?.uid }]);
    await core.deleteNamespacedPod({ name: 'pod-one', namespace });
    expect(await runtime.waitExit('pod_one')).toMatchObject({ reason: 'exited' });
    await untilTrue('the Secret to go', () =>
      core.readNamespacedSecret({ name: 'pod-one', namespace }).then(
        () => false,
        () => true,
      ),
    );
    await runtime.close();
  }, 120_000);

  it('gives one name to one of many who want it at once', async () => {
    const runtimes = await Promise.all([open(), open(), open()]);
    const outcomes = await Promise.allSettled(runtimes.map((runtime) => runtime.spawn(contractSpec(harness, 'race'))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
    await Promise.all(runtimes.map((runtime) => runtime.close()));
  }, 120_000);

  it('takes over what a dead owner left, exactly one of several', async () => {
    const dead = await open();
    await dead.spawn(contractSpec(harness, 'left'));
    await untilServing(dead, 'left');
    dead.abandon();
    const name = `bravo-${objectName(dead.owner)}`;
    const lease = await leases.readNamespacedLease({ name, namespace });
    if (lease.spec) lease.spec.renewTime = new V1MicroTime(new Date(Date.now() - 3_600_000).toISOString());
    await leases.replaceNamespacedLease({ name, namespace, body: lease });
    const others = await Promise.all([open(), open(), open()]);
    const reports = await Promise.all(others.map((runtime) => runtime.sweep()));
    expect(reports.filter(({ deadOwners }) => deadOwners.length > 0)).toEqual([
      { deadOwners: [dead.owner], containers: ['left'] },
    ]);
    await untilTrue('its pod to go', async () => {
      const { items } = await core.listNamespacedPod({
        namespace,
        labelSelector: `${OWNER}=${objectName(dead.owner)}`,
      });
      return items.length === 0;
    });
    await Promise.all(others.map((runtime) => runtime.close()));
  }, 120_000);

  it('lists anew when the server forgot where the watch was', async () => {
    const runtime = await open();
    await runtime.spawn(contractSpec(harness, 'one'));
    await untilServing(runtime, 'one');
    const before = runtime.watch.lists;
    // The first version of all is compacted or older than the server's cache: it answers 410 or begins from what it has.
    runtime.watch.restartFrom('1');
    await ask((await runtime.inspect('one')) as never, '/exit');
    expect(await runtime.waitExit('one')).toMatchObject({ code: 7 });
    expect(runtime.watch.lists).toBeGreaterThanOrEqual(before);
    await runtime.close();
  }, 120_000);

  it('says why a pod does not start: no image, no room, no quota', async () => {
    const runtime = await open();
    await runtime.spawn(contractSpec(harness, 'noimage', { image: 'bravo/there-is-no-such-image:1' }));
    await untilTrue('the reason', async () => /image/.test((await runtime.inspect('noimage'))?.obstacle ?? ''));
    const big = await open({ requests: { cpu: '900', memory: '64Mi' }, cpuLimit: '900' });
    await big.spawn(contractSpec(harness, 'noroom'));
    await untilTrue('the reason', async () => /No node has room/.test((await big.inspect('noroom'))?.obstacle ?? ''));
    await core.createNamespacedResourceQuota({
      namespace,
      body: { metadata: { name: 'few' }, spec: { hard: { pods: '1' } } },
    });
    await untilTrue('the quota', async () => {
      const quota = await core.readNamespacedResourceQuota({ name: 'few', namespace });
      return quota.status?.used?.['pods'] !== undefined;
    });
    await expect(runtime.spawn(contractSpec(harness, 'noquota'))).rejects.toMatchObject({
      code: 'pod_unavailable',
      message: expect.stringContaining('quota'),
    });
    await core.deleteNamespacedResourceQuota({ name: 'few', namespace });
    await Promise.all([runtime.close(), big.close()]);
  }, 120_000);
});
