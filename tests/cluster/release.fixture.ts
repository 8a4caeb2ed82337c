/** A release of the chart on the cluster of this run: what its tests ask of it, as an operator and as a person. */
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { signIn } from '@bravo/tools/cluster/converse';
import { openCluster, type ClusterTools } from '@bravo/tools/cluster/cluster-tools';
import { checkout } from '@bravo/tools/stack/checkout';

export const NAMESPACE = 'bravo-test';
export const AGENTS = 'bravo-test-agents';
const NODE_PORT = 30_380;

export interface Release {
  readonly tools: ClusterTools;
  readonly url: string;
  /** `kubectl` in the platform's namespace. */
  k(...args: string[]): Promise<string>;
  /** Installs, or upgrades with further values. */
  apply(verb: 'install' | 'upgrade', ...values: string[]): Promise<string>;
  /** Resolves when every pod of the platform is ready and none of an old revision is left. */
  untilReady(): Promise<void>;
  /** What ran where, for a failed test's message. */
  describe(): Promise<string>;
}

export const openRelease = async (): Promise<Release> => {
  const tools = await openCluster(process.env, () => undefined);
  const tag = process.env['BRAVO_TEST_CLUSTER_TAG'] ?? '';
  const url = `http://${await tools.nodeAddress()}:${NODE_PORT}`;
  const k = (...args: string[]): Promise<string> => tools.kubectl(['-n', NAMESPACE, ...args]);
  const profile = process.env['BRAVO_TEST_CLUSTER_SECCOMP'] ? 'Localhost' : 'RuntimeDefault';
  const describe = (): Promise<string> => tools.kubectl(['get', 'pods', '-A', '-o', 'wide']);
  return {
    tools,
    url,
    k,
    describe,
    apply: (verb, ...values) =>
      tools.helm([
        ...[verb, 'bravo', path.join(checkout, 'deploy', 'helm', 'bravo'), '-n', NAMESPACE, '--timeout', '10m'],
        ...['--set', `images.tag=${tag},images.pullPolicy=IfNotPresent,publicUrl=${url}`],
        ...['--set', `gateway.service.type=NodePort,gateway.service.nodePort=${NODE_PORT}`],
        ...['--set', `agents.namespace=${AGENTS},agents.seccomp.type=${profile}`],
        ...values.flatMap((value) => ['--set', value]),
      ]),
    untilReady: async () => {
      for (const kind of ['deployments', 'statefulsets']) {
        const names = (await k('get', kind, '-o', 'name')).trim().split('\n');
        for (const name of names)
          await k('rollout', 'status', name, '--timeout=420s').catch(async (error: unknown) => {
            throw new Error(`${(error as Error).message}\n${await describe()}`);
          });
      }
    },
  };
};

/** The person alice of the demo, over the node port. */
export const personAt = async (url: string) => {
  const headers = await signIn({ url, origin: url, workspace: 'acme', token: '' });
  const ask = async (method: string, at: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/api/v1/acme/bravo${at}`, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(300_000),
    });
    const text = await answer.text();
    if (answer.status >= 400) throw new Error(`${method} ${at} answered ${answer.status}: ${text.slice(0, 300)}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  return {
    ask,
    begin: async (title: string): Promise<string> => String((await ask('POST', '/conversations', { title }))['id']),
    /** @returns what the agent answered. */
    say: async (conversation: string, content: string): Promise<string> => {
      const { assistant_message: answered } = await ask('POST', `/conversations/${conversation}/messages`, { content });
      return String((answered as { content?: unknown } | undefined)?.content ?? '');
    },
    approvals: async (): Promise<readonly Record<string, string>[]> =>
      (await ask('GET', '/approvals'))['approvals'] as Record<string, string>[],
  };
};
export type Person = Awaited<ReturnType<typeof personAt>>;

export const until = async <T>(what: string, look: () => Promise<T | undefined | false>, seconds = 240): Promise<T> => {
  let last: unknown;
  for (const deadline = Date.now() + seconds * 1000; Date.now() < deadline; await sleep(1_000)) {
    try {
      const found = await look();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      last = error;
    }
  }
  throw new Error(`waited in vain for ${what}${last === undefined ? '' : `: ${String((last as Error).message)}`}`);
};
