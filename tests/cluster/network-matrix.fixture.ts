/** Tries every pair from inside the pods and says who reached whom. */
import { AGENTS, NAMESPACE, type Release } from './release.fixture.ts';

export interface Target {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

const PROBE = `
const net = require('node:net');
const targets = JSON.parse(process.argv[1]);
const reach = ({ name, host, port }) => new Promise((done) => {
  const socket = net.connect({ host, port, timeout: 4000 });
  const tell = (reached) => { socket.destroy(); done(reached ? [name] : []); };
  socket.once('connect', () => tell(true)).once('timeout', () => tell(false)).once('error', (e) => tell(e.code === 'ECONNREFUSED'));
});
Promise.all(targets.map(reach)).then((found) => console.log(JSON.stringify(found.flat())));
`;

/** Names of the targets that a container reached. */
export const reachedFrom = async (
  { tools }: Release,
  namespace: string,
  pod: string,
  container: string,
  targets: readonly Target[],
): Promise<string[]> => {
  const inside = ['/usr/local/bin/node', '-e', PROBE, JSON.stringify(targets)];
  const said = await tools.kubectl(['-n', namespace, 'exec', pod, '-c', container, '--', ...inside]);
  return (JSON.parse(said) as string[]).sort();
};

interface PodList {
  readonly items: readonly {
    readonly metadata: { name: string; labels: Record<string, string> };
    readonly status: { podIP?: string; phase: string };
  }[];
}

export const podsOf = async ({ tools }: Release, namespace: string): Promise<PodList['items']> => {
  const { items } = JSON.parse(await tools.kubectl(['-n', namespace, 'get', 'pods', '-o', 'json'])) as PodList;
  return items.filter(({ status }) => status.phase === 'Running' && status.podIP !== undefined);
};

const PORTS: Readonly<Record<string, readonly number[]>> = {
  postgres: [5432],
  nats: [4222],
  gateway: [8080],
  egress: [8080, 8443],
};

/** Every port of every service, an agent's pod, the API server (by its Service and on its node), and the kubelet. */
export const allTargets = async (release: Release): Promise<Target[]> => {
  const platform = (await podsOf(release, NAMESPACE)).flatMap(({ metadata, status }) => {
    const component = metadata.labels['app.kubernetes.io/component'] ?? '';
    return (PORTS[component] ?? [8080, 9090]).map((port) => ({
      name: `${component}:${port}`,
      host: status.podIP ?? '',
      port,
    }));
  });
  const agents = (await podsOf(release, AGENTS))
    .slice(0, 1)
    .map(({ status }) => ({ name: 'agent:42617', host: status.podIP ?? '', port: 42_617 }));
  const service = (
    await release.tools.kubectl(['get', 'service', 'kubernetes', '-o', 'jsonpath={.spec.clusterIP}'])
  ).trim();
  const node = await release.tools.nodeAddress();
  return [
    ...platform,
    ...agents,
    { name: 'api-server:443', host: service, port: 443 },
    { name: 'node:10250', host: node, port: 10_250 },
    { name: 'metadata:80', host: '169.254.169.254', port: 80 },
  ];
};
