/** Finds a Kubernetes cluster to test on and its programs; it starts the test cluster where that is at hand, and only ends what it started. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, linkSync, mkdirSync, rmSync, writeFileSync, copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shell } from '../images/shell.ts';
import type { BuiltPlatformImages } from '../images/platform/build-platform-images.ts';
import { writeIndex } from '../images/platform/pack-image.ts';
import { checkout } from '../stack/checkout.ts';

export interface ClusterTools {
  readonly kubeconfig: string;
  /** True when this run started it, and so ends it. */
  readonly ours: boolean;
  kubectl(args: readonly string[], input?: string): Promise<string>;
  helm(args: readonly string[]): Promise<string>;
  /** Undefined where images are the operator's own business (BRAVO_TEST_KUBECONFIG). */
  readonly loadImage?: (reference: string, archive: string) => Promise<void>;
  /** Address of the node where node ports are reached from here. */
  nodeAddress(): Promise<string>;
  /** The test cluster's own commands (`component kill etcd`, `outside …`); undefined for any other cluster. */
  readonly cluster?: (args: readonly string[]) => Promise<string>;
  /** Directory of the kubelet's seccomp profiles, where this machine is the node. */
  readonly seccompDirectory?: string;
  close(): Promise<void>;
}

/** Runs a program to its end with text on its standard input; a failure carries all it said. */
export const runWith = (program: string, args: readonly string[], input = '', env = process.env): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { stdio: ['pipe', 'pipe', 'pipe'], env });
    let out = '';
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(out)
        : reject(new Error(`${path.basename(program)} ${args.slice(0, 3).join(' ')}: ${said.trim() || out.trim()}`)),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });

type Environment = Readonly<Record<string, string | undefined>>;

/** The cluster's script, where it is at hand. */
export const clusterScript = (environment: Environment): string | undefined => {
  const given = environment['BRAVO_CLUSTER_TOOLS'];
  const places = given ? [given] : [path.join(checkout, '..', 'shared', 'cluster')];
  return places.map((place) => path.join(path.resolve(place), 'cluster')).find((file) => existsSync(file));
};

/** Why no cluster can be had here, or ''. */
export const clusterObstacle = (environment: Environment): string => {
  if (environment['BRAVO_TEST_KUBECONFIG']) return '';
  if (clusterScript(environment) === undefined)
    return 'no test cluster beside the checkout (../shared/cluster), none named by BRAVO_CLUSTER_TOOLS, and no BRAVO_TEST_KUBECONFIG';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'the test cluster needs Linux and root';
  return '';
};

const nodeAddressOf = async (kubectl: ClusterTools['kubectl']): Promise<string> =>
  (
    await kubectl(['get', 'nodes', '-o', 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}'])
  ).trim();

const anyCluster = (kubeconfig: string): ClusterTools => {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const kubectl: ClusterTools['kubectl'] = (args, input) => runWith('kubectl', args, input, env);
  return {
    kubeconfig,
    ours: false,
    kubectl,
    helm: (args) => runWith('helm', args, '', env),
    nodeAddress: () => nodeAddressOf(kubectl),
    close: () => Promise.resolve(),
  };
};

/** Brings the cluster up, or takes the one that is named or already runs. */
export const openCluster = async (environment: Environment, say: (sentence: string) => void): Promise<ClusterTools> => {
  const named = environment['BRAVO_TEST_KUBECONFIG'];
  if (named) return anyCluster(path.resolve(named));
  const script = clusterScript(environment);
  const obstacle = clusterObstacle(environment);
  if (script === undefined || obstacle !== '') throw new Error(obstacle);
  const given = environment['BRAVO_CLUSTER_DIR'];
  const state = given ? path.resolve(given) : path.join(tmpdir(), 'bravo-test-cluster');
  mkdirSync(state, { recursive: true, mode: 0o755 });
  const env = { ...process.env, BRAVO_CLUSTER_DIR: state };
  const cluster = (args: readonly string[], input = ''): Promise<string> => runWith(script, args, input, env);
  const running = await cluster(['status']).then(
    () => true,
    () => false,
  );
  if (!running) {
    say('starting the test cluster');
    await cluster(['up']);
  }
  const kubectl: ClusterTools['kubectl'] = (args, input) => cluster(['kubectl', ...args], input);
  return {
    kubeconfig: path.join(state, 'kubeconfig'),
    ours: !running,
    kubectl,
    helm: (args) => cluster(['helm', ...args]),
    loadImage: async (reference, archive) => void (await cluster(['load-image', reference, archive])),
    nodeAddress: () => nodeAddressOf(kubectl),
    cluster,
    seccompDirectory: path.join(state, 'kubelet', 'seccomp'),
    close: async () => {
      if (!running) await cluster(['down', ...(given ? [] : ['--purge'])]);
    },
  };
};

/** Loads images one by one, each as an archive with only its own blobs. */
export const loadPlatformImages = async (
  { loadImage }: ClusterTools,
  directory: string,
  { images, tag }: BuiltPlatformImages,
  say: (sentence: string) => void,
): Promise<void> => {
  if (loadImage === undefined) {
    say(`images of another cluster are its operator's business: it must have bravo/*:${tag}`);
    return;
  }
  const blob = (root: string, digest: string): string => path.join(root, 'blobs', 'sha256', digest.slice(7));
  for (const { name, digest, manifestSize, layers } of images) {
    const work = mkdtempSync(path.join(tmpdir(), 'bravo-load-'));
    try {
      const one = path.join(work, 'layout');
      mkdirSync(path.join(one, 'blobs', 'sha256'), { recursive: true });
      const { config } = JSON.parse(await shell('cat', [blob(directory, digest)])) as { config: { digest: string } };
      for (const each of [digest, config.digest, ...layers.map((layer) => layer.digest)]) {
        try {
          linkSync(blob(directory, each), blob(one, each));
        } catch {
          copyFileSync(blob(directory, each), blob(one, each));
        }
      }
      const reference = `docker.io/bravo/${name}:${tag}`;
      writeIndex(one, [{ reference, digest, size: manifestSize }]);
      const archive = path.join(work, 'image.tar');
      // The index last: the cluster's script stops reading the list of names at it, and takes a list cut short for no image.
      await shell('tar', ['-cf', archive, '-C', one, 'oci-layout', 'blobs', 'index.json']);
      await loadImage(reference, archive);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  say(`${images.length} images are in the cluster as bravo/*:${tag}`);
};

/** Puts our profile where the kubelet of this machine looks for it; other clusters get it as deploy/seccomp/README says. */
export const installSeccompProfile = ({ seccompDirectory }: ClusterTools): boolean => {
  if (seccompDirectory === undefined) return false;
  const target = path.join(seccompDirectory, 'bravo');
  mkdirSync(target, { recursive: true });
  copyFileSync(path.join(checkout, 'deploy', 'seccomp', 'bravo-sandbox.json'), path.join(target, 'bravo-sandbox.json'));
  writeFileSync(path.join(target, '.from'), 'the checkout of the tests\n');
  return true;
};
