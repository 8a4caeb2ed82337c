/** The chart on a real cluster, from its install to its end: people are served, only the edges are open, no secret shows, nothing is left. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APP_SETTINGS, type AppName } from '@bravo/config';
import { allTargets, podsOf, reachedFrom } from './network-matrix.fixture.ts';
import { AGENTS, NAMESPACE, openRelease, personAt, type Release, until } from './release.fixture.ts';

const apps = Object.keys(APP_SETTINGS) as AppName[];
const WHOLE = process.env['BRAVO_TEST_CLUSTER_SET'] !== 'small';
const more = WHOLE ? it : it.skip;

const CALLEES: Readonly<Record<string, string>> = {
  BRAVO_IDENTITY_ADDR: 'identity:9090',
  BRAVO_ORCHESTRATOR_ADDR: 'agent-orchestrator:9090',
  BRAVO_BROKER_ADDR: 'tool-broker:9090',
  BRAVO_SANDBOX_ADDR: 'sandbox-runner:9090',
  BRAVO_MODELS_ADDR: 'model-gateway:9090',
  BRAVO_AUDIT_ADDR: 'audit:9090',
  BRAVO_AUTOMATION_ADDR: 'automation:9090',
  BRAVO_EGRESS_ADDR: 'egress:8443',
  BRAVO_DATABASE_URL: 'postgres:5432',
  BRAVO_NATS_URL: 'nats:4222',
};
const wantedOf = (app: AppName): string[] => [
  ...Object.values(APP_SETTINGS[app]).flatMap(({ variable }) => CALLEES[variable] ?? []),
  ...(app === 'agent-orchestrator' ? ['agent:42617', 'api-server:443'] : []),
];

let release: Release;
beforeAll(async () => {
  release = await openRelease();
  await release.tools.kubectl(['create', 'namespace', NAMESPACE]);
  await release.tools.kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
  await release.apply('install');
  await release.untilReady();
}, 900_000);
afterAll(async () => {
  await release.tools.helm(['uninstall', 'bravo', '-n', NAMESPACE, '--ignore-not-found']).catch(() => undefined);
  await release.tools.kubectl(['delete', 'namespace', NAMESPACE, AGENTS, '--ignore-not-found', '--timeout=240s']);
  await release.tools.close();
}, 600_000);

/** A question that waits: the agent wants to write a file. */
const askToWrite = async (
  person: Awaited<ReturnType<typeof personAt>>,
  conversation: string,
  file: string,
): Promise<string> => {
  void person.say(conversation, `write ${file}: kept`).catch(() => undefined);
  return until('the question', async () => {
    const found = (await person.approvals()).find(
      (each) => each['conversation_id'] === conversation && each['status'] === 'pending',
    );
    return found?.['tool_call_id'];
  });
};

describe('the platform on a cluster', () => {
  it('answers a person, and does what they approve', async () => {
    const alice = await personAt(release.url);
    const conversation = await alice.begin('first');
    expect(await alice.say(conversation, 'help')).toContain('fixed planner');
    const toolCall = await askToWrite(alice, conversation, 'notes.txt');
    await alice.ask('POST', `/conversations/${conversation}/tool-calls/${toolCall}/approve`, {});
    await until('the file', async () => /kept/.test(await alice.say(conversation, 'show notes.txt')));
  });

  it('passes helm test: a conversation, and an agent that does not reach the API server', async () => {
    expect(await release.tools.helm(['test', 'bravo', '-n', NAMESPACE, '--timeout', '5m'])).toMatch(
      /isolation[\s\S]*Succeeded/,
    );
  });

  more('opens exactly the edges of each service, and every other pair is shut [tried from inside]', async () => {
    const targets = await until('a pod of an agent', async () => {
      const found = await allTargets(release);
      return found.some(({ name }) => name.startsWith('agent:')) && found;
    });
    const pods = await podsOf(release, NAMESPACE);
    const matrix: Record<string, string[]> = {};
    const wanted: Record<string, string[]> = {};
    for (const app of apps) {
      const pod = pods.find(({ metadata }) => metadata.labels['app.kubernetes.io/component'] === app);
      const others = targets.filter(({ name }) => !name.startsWith(`${app}:`));
      matrix[app] = await reachedFrom(release, NAMESPACE, pod?.metadata.name ?? '', app, others);
      wanted[app] = wantedOf(app).sort();
    }
    const [agent] = await podsOf(release, AGENTS);
    matrix['agent'] = await reachedFrom(
      release,
      AGENTS,
      agent?.metadata.name ?? '',
      'agent',
      targets.filter(({ name }) => !name.startsWith('agent:')),
    );
    wanted['agent'] = ['model-gateway:8080', 'tool-broker:8080'];
    process.stderr.write(
      `${Object.entries(matrix)
        .map(([from, to]) => `${from.padEnd(20)} → ${to.join(' ')}`)
        .join('\n')}\n`,
    );
    expect(matrix).toEqual(wanted);
  });

  it('shows no secret in pods, events and logs', async () => {
    const secrets = JSON.parse(await release.k('get', 'secrets', '-o', 'json')) as {
      items: { metadata: { name: string }; data?: Record<string, string> }[];
    };
    const root = secrets.items.find(({ metadata }) => metadata.name === 'bravo-root-keys');
    const kept = JSON.parse(Buffer.from(root?.data?.['secrets.json'] ?? '', 'base64').toString()) as Record<
      string,
      string | Record<string, string>
    >;
    const canaries = Object.values(kept).flatMap((value) =>
      typeof value === 'string' ? [value] : Object.values(value),
    );
    const agents = JSON.parse(
      await release.tools.kubectl(['-n', AGENTS, 'get', 'secrets', '-o', 'json']),
    ) as typeof secrets;
    const tokens = agents.items
      .map(({ data }) => Buffer.from(data?.['secret'] ?? '', 'base64').toString())
      .flatMap((text) => /bwt_\w+/.exec(text)?.[0] ?? []);
    expect(canaries.length).toBeGreaterThan(10);
    expect(tokens.length).toBeGreaterThan(0);
    const shown = [await release.tools.kubectl(['get', 'pods,events', '-A', '-o', 'json'])];
    for (const app of apps)
      shown.push(await release.k('logs', '-l', `app.kubernetes.io/component=${app}`, '--tail=-1', '--all-containers'));
    for (const { metadata } of await podsOf(release, AGENTS))
      shown.push(await release.tools.kubectl(['-n', AGENTS, 'logs', metadata.name]));
    const everything = shown.join('\n');
    for (const canary of [...canaries, ...tokens]) expect(everything.includes(canary)).toBe(false);
  });

  more('goes on after a pod of every service was killed', async () => {
    for (const app of apps) {
      await release.k('delete', 'pods', '-l', `app.kubernetes.io/component=${app}`, '--grace-period=0', '--force');
    }
    await release.untilReady();
    const alice = await until('a sign-in', () => personAt(release.url));
    await until('an answer', async () =>
      /fixed planner/.test(await alice.say(await alice.begin('after kills'), 'help')),
    );
  });

  more(
    'keeps questions that wait over an upgrade of every pod: each is decided after it, each effect once',
    async () => {
      const before = await personAt(release.url);
      const waiting: { conversation: string; toolCall: string; file: string }[] = [];
      for (const at of [1, 2, 3]) {
        const conversation = await before.begin(`waits ${at}`);
        waiting.push({
          conversation,
          toolCall: await askToWrite(before, conversation, `kept${at}.txt`),
          file: `kept${at}.txt`,
        });
      }
      await release.apply('upgrade', 'logLevel=debug');
      await release.untilReady();
      const alice = await until('a sign-in', () => personAt(release.url));
      for (const { conversation, toolCall } of waiting)
        await until('the decision', () =>
          alice.ask('POST', `/conversations/${conversation}/tool-calls/${toolCall}/approve`, {}).then(() => true),
        );
      for (const { conversation } of waiting) {
        // A decided call that nobody holds any more is taken up by a turn of its own: it is done when its row says so.
        const written = async () => {
          const { tool_calls: calls } = (await alice.ask('GET', `/conversations/${conversation}/tool-calls`)) as {
            tool_calls: { tool: string; status: string }[];
          };
          return calls.filter(({ tool, status }) => tool === 'write_file' && status === 'done');
        };
        await until('the file to be written', async () => (await written()).length > 0);
        expect(await written()).toHaveLength(1);
      }
    },
  );

  it('leaves nothing at its end but volumes and keys', async () => {
    await release.tools.helm(['uninstall', 'bravo', '-n', NAMESPACE, '--wait', '--timeout', '5m']);
    const kinds =
      'pods,services,deployments,statefulsets,jobs,configmaps,serviceaccounts,roles,rolebindings,networkpolicies,poddisruptionbudgets';
    const ours = ['-l', 'app.kubernetes.io/instance=bravo', '-o', 'name'];
    await until('everything to go', async () => (await release.k('get', kinds, ...ours)).trim() === '');
    await until(
      "the agents' namespace to go",
      async () =>
        (await release.tools.kubectl(['get', 'namespace', AGENTS, '--ignore-not-found', '-o', 'name'])).trim() === '',
    );
    expect((await release.tools.kubectl(['get', 'priorityclasses', ...ours])).trim()).toBe('');
    const left = (await release.k('get', 'secrets,pvc', ...ours))
      .trim()
      .split('\n')
      .map((name) => name.split('/')[0]);
    expect(new Set(left)).toEqual(new Set(['secret', 'persistentvolumeclaim']));
  });
});
