/** Starts a pod program for its contract as any starter would: a directory of its own, settings, a scrubbed environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type ContractPeers, startContractPeers } from './contract-peers.fixture.ts';
import { until } from './pod-client.fixture.ts';
import {
  asEnvironment,
  asToml,
  type ContractSettings,
  contractSettings,
  type PodHarness,
  type StartedPod,
} from './pod-target.ts';

export interface ProgramOptions {
  /** Program and arguments; called when the first pod starts. */
  command(): readonly string[];
  /** How it is given its settings. */
  readonly settings: 'config.toml' | 'environment';
}

const SECRET = 'contract-pod-secret';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Starts peers and one pod before the specs of the calling file, and ends everything after them. */
export const useProgram = ({ command, settings: given }: ProgramOptions): PodHarness & { pod(): StartedPod } => {
  const directories: string[] = [];
  const pods: StartedPod[] = [];
  let peers: ContractPeers;
  let pod: StartedPod;

  const start: NonNullable<PodHarness['start']> = async (settings, more = {}) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'bravo-pod-contract-'));
    directories.push(directory);
    const port = await freePort();
    const all: ContractSettings = { ...settings, 'gateway.host': '127.0.0.1', 'gateway.port': port };
    if (given === 'config.toml') writeFileSync(path.join(directory, 'config.toml'), asToml(all), { mode: 0o600 });
    const [program = '', ...args] = command();
    const child = spawn(program, args, {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        HOME: directory,
        ZEROCLAW_CONFIG_DIR: directory,
        ...(given === 'environment' && asEnvironment(all)),
        ...more,
      },
    });
    const started = startedPod(child, port);
    pods.push(started);
    await until('the pod to serve or to exit', async () => {
      if (child.exitCode !== null || child.signalCode !== null) return true;
      return fetch(`${started.baseUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return started;
  };

  beforeAll(async () => {
    peers = await startContractPeers();
    pod = await start(contractSettings(peers, [createHash('sha256').update(SECRET).digest('hex')]));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(pods.map((one) => one.stop('SIGKILL')));
    await peers?.close();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }, 30_000);
  return { target: () => ({ baseUrl: pod.baseUrl, token: SECRET }), peers: () => peers, start, pod: () => pod };
};

const startedPod = (child: ChildProcess, port: number): StartedPod => {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code));
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    token: SECRET,
    pid: child.pid ?? 0,
    output: () => output,
    exited: () => ended,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
};
