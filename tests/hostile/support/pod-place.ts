/**
 * Runs a program of ours where a real pod is: in its container, with its network, files, rights and filter, beside the pod itself. Its user
 * is the namespace's root without a capability, which may do nothing less than the pod's own (the runtime enters as no other).
 */
import type { Platform } from '@bravo/testing';
import { homeAt } from '@bravo/tools/stack/home';
import { readState } from '@bravo/tools/stack/state-file';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Attempts } from './attempts.ts';

interface PodRecord {
  readonly name: string;
  readonly uid?: number;
  readonly traces?: object;
  readonly process?: { readonly pid: number };
}

/** Pods that are contained; none where the machine cannot. */
export const containedPods = (platform: Platform): PodRecord[] => {
  const records = path.join(homeAt(platform.home).pods, 'records');
  return readdirSync(records)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(path.join(records, name), 'utf8')) as PodRecord)
    .filter(({ traces, process }) => traces !== undefined && process !== undefined);
};

/** Prints one line of JSON per attempt: what it got, or the name of the error. */
const PROBE = `
const net = require('node:net'), fs = require('node:fs'), dns = require('node:dns');
const attempts = {
  connect: ([host, port]) => new Promise((resolve, reject) => { const socket = net.connect({ host, port, timeout: 3000 }).once('connect', () => { socket.destroy(); resolve('connected'); }).once('timeout', () => reject(new Error('timeout'))).once('error', reject); }),
  // Whoever listens inside is only the near end of a way that the host has fixed.
  fetch: async (url) => (await fetch(url)).status,
  lookup: (name) => dns.promises.lookup(name),
  read: (file) => fs.readFileSync(file, 'latin1').slice(0, 40),
  write: (file) => fs.writeFileSync(file, 'x'),
  list: (directory) => fs.readdirSync(directory).join(' '),
  kill: (pid) => process.kill(pid, 'SIGKILL'),
};
(async () => {
  for (const [attempt, value] of JSON.parse(process.argv[1])) {
    try { console.log(JSON.stringify(String(await attempts[attempt](value)))); }
    catch (error) { console.log(JSON.stringify(error.cause?.code ?? error.code ?? error.message)); }
  }
  process.exit(0);
})();`;

const runtimeOf = (leader: number): string =>
  readFileSync(`/proc/${leader}/task/${leader}/children`, 'utf8').trim().split(' ')[0] ?? '';

const probe = async (
  platform: Platform,
  pod: PodRecord,
  tries: readonly (readonly [string, unknown])[],
): Promise<string[]> => {
  const oci = path.join(homeAt(platform.home).pods, 'oci');
  // The container is known under the numbers of the namespace its runtime is in.
  const inside = [
    '-t',
    runtimeOf(pod.process?.pid ?? 0),
    '--pid',
    '--mount',
    '--',
    'crun',
    '--root',
    oci,
    '--cgroup-manager=disabled',
  ];
  const program = ['exec', '--no-new-privs', pod.name, '/opt/node/bin/node', '-e', PROBE, '--', JSON.stringify(tries)];
  const { stdout } = await promisify(execFile)('nsenter', [...inside, ...program], { timeout: 60_000 });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as string);
};

/** Nothing is tried where pods cannot be contained. */
export const tryInPodPlace = async (attempts: Attempts, platform: Platform): Promise<void> => {
  const [pod, neighbour] = containedPods(platform);
  if (pod === undefined) return;
  const { ports = {}, processes = [] } = readState(homeAt(platform.home)) ?? {};
  const own = ['tool-broker.http', 'model-gateway.http'];
  const service = processes.find(({ name }) => name === 'tool-broker')?.pid ?? 0;
  const tries: [string, string, readonly [string, unknown]][] = [
    ...own.map((name): [string, string, [string, unknown]] => [
      `reach its own ${name}`,
      '200',
      ['fetch', `http://127.0.0.1:${ports[name]}/healthz`],
    ]),
    ...Object.entries(ports)
      .filter(([name]) => !own.includes(name))
      .map(([name, port]): [string, string, [string, unknown]] => [
        `reach ${name}`,
        'ECONNREFUSED',
        ['connect', ['127.0.0.1', port]],
      ]),
    ['reach the metadata address', 'ENETUNREACH', ['connect', ['169.254.169.254', 80]]],
    ['reach the internet', 'ENETUNREACH', ['connect', ['1.1.1.1', 443]]],
    ['reach the internet over IPv6', 'ENETUNREACH', ['connect', ['2606:4700::1111', 443]]],
    ['reach the cluster network', 'ENETUNREACH', ['connect', ['10.96.0.1', 443]]],
    ['ask a name server', 'ENOTFOUND', ['lookup', 'example.com']],
    ['read the passwords', 'ENOENT', ['read', path.join(platform.home, 'secrets.json')]],
    ["read the machine's users", 'ENOENT', ['read', '/etc/shadow']],
    ['list the home of root', 'ENOENT', ['list', '/root']],
    ['list the kernel objects', 'ENOENT', ['list', '/sys']],
    ["read the broker's environment", 'ENOENT', ['read', `/proc/${service}/environ`]],
    ['end the broker', 'ESRCH', ['kill', service]],
    [
      "look for another pod's files",
      'ENOENT',
      ['list', path.join(homeAt(platform.home).pods, 'bundles', neighbour?.name ?? pod.name)],
    ],
    ['change its own program', 'EROFS', ['write', '/opt/pod/agent-runtime.mjs']],
    ['put a socket beside its ways out', 'EROFS', ['write', '/run/bravo/more']],
  ];
  const got = await probe(
    platform,
    pod,
    tries.map(([, , attempt]) => attempt),
  );
  for (const [index, [attempt, expected]] of tries.entries()) {
    await attempts.try(`in a pod's place: ${attempt}`, expected, () =>
      Promise.resolve({ got: got[index] ?? 'nothing', held: got[index] === expected }),
    );
  }
};
