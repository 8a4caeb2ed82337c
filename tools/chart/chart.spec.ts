/** The chart without a cluster: generated files fresh, scenarios as they were read, every manifest strict, settings complete, edges exact. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { APP_SETTINGS, loadConfig, type AppName } from '@bravo/config';
import { chartDirectory, generatedFiles } from './chart-files.ts';
import { nameOf, podOf, renderChart, type Manifest } from './render-chart.ts';
import { renderScenario, scenarios, snapshots } from './snapshots.ts';
import { unknownFields } from './strict-fields.ts';

const AGAIN = 'run "node --conditions=source tools/chart/generate.main.ts" and read what changed';
const FOREIGN = ['ServiceMonitor', 'HTTPRoute'];
const apps = Object.keys(APP_SETTINGS) as AppName[];

const validate = async (manifest: Manifest): Promise<void> => {
  const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
    string,
    new (data: object) => { validate(): void }
  >;
  const Model = models[manifest.kind];
  if (Model === undefined) throw new Error(`no model of ${nameOf(manifest)}`);
  new Model(manifest).validate();
};

describe('the Helm chart', () => {
  const rendered = new Map<string, Manifest[]>();
  beforeAll(async () => {
    for (const name of scenarios()) rendered.set(name, await renderScenario(name));
  }, 300_000);
  const of = (name: string): Manifest[] => rendered.get(name) ?? [];
  const everything = (): [string, Manifest][] =>
    [...rendered].flatMap(([name, all]) => all.map((manifest): [string, Manifest] => [name, manifest]));

  it('has a README and a schema made from its values', () => {
    for (const [name, text] of Object.entries(generatedFiles()))
      expect([AGAIN, readFileSync(path.join(chartDirectory, name), 'utf8')]).toEqual([AGAIN, text]);
  });

  it('renders what was read', async () => {
    for (const [name, text] of Object.entries(await snapshots()))
      expect([AGAIN, readFileSync(path.join(chartDirectory, 'ci', 'snapshots', name), 'utf8')]).toEqual([AGAIN, text]);
  }, 300_000);

  it('says nothing an API server would refuse or drop', async () => {
    for (const [, manifest] of everything()) {
      const unknown = unknownFields(manifest);
      if (unknown === undefined) expect(FOREIGN).toContain(manifest.kind);
      else {
        expect([nameOf(manifest), unknown]).toEqual([nameOf(manifest), []]);
        await validate(manifest);
      }
    }
    expect(unknownFields({ apiVersion: 'v1', kind: 'Pod', spec: { containrs: [] } } as never)).toEqual([
      'Pod.spec.containrs',
    ]);
  }, 120_000);

  it('holds every pod to "restricted" and to its limits', () => {
    for (const [, manifest] of everything()) {
      const pod = podOf(manifest);
      if (pod === undefined) continue;
      expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect([pod['hostNetwork'], pod['hostPID'], pod['hostIPC']]).toEqual([undefined, undefined, undefined]);
      for (const { securityContext, resources, image } of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources).toMatchObject({
          limits: { memory: expect.anything() },
          requests: { cpu: expect.anything(), memory: expect.anything() },
        });
        expect(image).toMatch(/:snapshot$/);
      }
      const touchesApi = /-(agent-orchestrator|keys)$/.test(manifest.metadata.name);
      expect([nameOf(manifest), pod['automountServiceAccountToken']]).toEqual([nameOf(manifest), touchesApi]);
    }
  });

  it('gives each service every setting it needs and none it does not know', () => {
    for (const name of scenarios())
      for (const app of apps) {
        const manifest = of(name).find(
          ({ kind, metadata }) => /Deployment|StatefulSet/.test(kind) && metadata.name === `bravo-${app}`,
        );
        const given = (manifest && podOf(manifest)?.containers[0]?.env) ?? [];
        const known = new Set(Object.values(APP_SETTINGS[app]).map(({ variable }) => variable));
        const environment = Object.fromEntries(given.map((each) => [each.name, each.value ?? 'postgresql://a@b/c']));
        expect(() => loadConfig(app, APP_SETTINGS[app], environment)).not.toThrow();
        const common = ['BRAVO_ENV', 'BRAVO_SERVICE_KEY_FILE', 'BRAVO_SERVICE_KEYS_FILE'];
        expect([
          app,
          given.map((each) => each.name).filter((each) => !known.has(each) && !common.includes(each)),
        ]).toEqual([app, []]);
        // A password or a key in a manifest would be in every backup of it.
        for (const each of given) if (/PASSWORD|DATABASE_URL/.test(each.name)) expect(each.valueFrom).toBeDefined();
      }
  });

  it('opens exactly the edges that the settings name', () => {
    const callees: Record<string, string> = {
      BRAVO_IDENTITY_ADDR: 'identity',
      BRAVO_ORCHESTRATOR_ADDR: 'agent-orchestrator',
      BRAVO_BROKER_ADDR: 'tool-broker',
      BRAVO_SANDBOX_ADDR: 'sandbox-runner',
      BRAVO_MODELS_ADDR: 'model-gateway',
      BRAVO_AUDIT_ADDR: 'audit',
      BRAVO_AUTOMATION_ADDR: 'automation',
      BRAVO_EGRESS_ADDR: 'egress',
    };
    type Peer = { podSelector?: { matchLabels?: Record<string, string> }; namespaceSelector?: object };
    type Policy = { ingress?: { from?: Peer[] }[]; egress?: { to?: Peer[] }[] };
    const component = (peer: Peer): string[] =>
      peer.namespaceSelector ? [] : [peer.podSelector?.matchLabels?.['app.kubernetes.io/component'] ?? ''];
    const policyOf = (app: string): Policy =>
      of('default').find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `bravo-${app}`)
        ?.spec as Policy;
    const wanted = Object.fromEntries(
      apps.map((app) => {
        const settings = Object.values(APP_SETTINGS[app]).map(({ variable }) => callees[variable]);
        const stores = [...settings.filter((each) => each !== undefined)] as string[];
        const names = new Set(Object.values(APP_SETTINGS[app]).map(({ variable }) => variable));
        if (names.has('BRAVO_DATABASE_URL')) stores.push('postgres');
        if (names.has('BRAVO_NATS_URL')) stores.push('nats');
        return [app, stores.sort()];
      }),
    );
    const opened = Object.fromEntries(
      apps.map((app) => [
        app,
        (policyOf(app).egress ?? [])
          .flatMap(({ to = [] }) => to.flatMap(component))
          .filter(Boolean)
          .sort(),
      ]),
    );
    expect(opened).toEqual(wanted);
    for (const app of apps) {
      const callers = (policyOf(app).ingress ?? []).flatMap(({ from = [] }) => from.flatMap(component)).sort();
      expect([app, callers]).toEqual([app, apps.filter((each) => wanted[each]?.includes(app)).sort()]);
    }
  });

  it("lets the orchestrator touch pods in the agents' namespace and nothing else", () => {
    const roles = of('default').filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
    expect(roles.map(nameOf).sort()).toEqual(['Role /bravo-keys', 'Role bravo-agents/bravo-agent-orchestrator']);
    const [role] = roles.filter(({ metadata }) => metadata.namespace === 'bravo-agents');
    expect(role?.['rules']).toEqual([
      { apiGroups: [''], resources: ['pods'], verbs: ['create', 'get', 'list', 'watch', 'delete'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      {
        apiGroups: ['coordination.k8s.io'],
        resources: ['leases'],
        verbs: ['create', 'get', 'list', 'update', 'delete'],
      },
    ]);
  });

  it.each([
    [['--set', 'database.existingSecret=x'], 'postgres.enabled and database.existingSecret contradict each other'],
    [['--set', 'postgres.enabled=false'], 'There is no database'],
    [['--set', 'nats.url=nats://x:4222'], 'nats.enabled and nats.url contradict each other'],
    [['--set', 'agents.namespace=bravo'], 'need a namespace of their own'],
    [['--set', 'agents.runtimeClass=gvisor'], 'gVisor is the filter itself'],
    [['--set', 'gateway.ingress.enabled=true'], 'needs gateway.ingress.host'],
    [['--set', 'gateway.service.nodePort=30080'], 'set the type to NodePort'],
    [['--set', 'broker.autoscaling.enabled=true,broker.autoscaling.min=9'], 'cannot be above the most'],
    [['--set', 'images.tag=latest'], 'images'],
    [['--set', 'agents.warmth=1'], 'warmth'],
    [['--set', 'sandbox.replicas=2'], 'sandbox'],
  ])(
    'refuses %p with a sentence',
    async (args, sentence) => {
      await expect(renderChart(args)).rejects.toThrow(sentence);
    },
    60_000,
  );
});
