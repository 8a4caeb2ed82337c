/** A whole platform for a test, brought up by `./bravo up` itself in a home of its own; nothing of it outlives `stop`. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout, nodeProgram } from '@bravo/tools/stack/checkout';
import { isHealthy } from '@bravo/tools/stack/health';
import { homeAt, type Home } from '@bravo/tools/stack/home';
import { readPlan, type Plan, type PlannedProcess } from '@bravo/tools/stack/plan';
import { chooseFreePort } from '@bravo/tools/stack/ports';
import { isAlive } from '@bravo/tools/stack/process-identity';
import { grpcPortName, httpPortName, services } from '@bravo/tools/stack/service-catalogue';
import { readState, type RunningProcess } from '@bravo/tools/stack/state-file';
import type { Platform, PlatformOptions } from './platform.ts';
import { waitUntil } from './wait-until.ts';

const run = promisify(execFile);
const commandLine = path.join(checkout, 'tools', 'cli', 'main.ts');

/** What a developer set for their own stack must not reach a test's. */
const cleanEnvironment = (home: Home, added: Readonly<Record<string, string>>): Record<string, string> => {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !name.startsWith('BRAVO_') && name !== 'NODE_OPTIONS',
  ) as [string, string][];
  return { ...Object.fromEntries(kept), ...added, BRAVO_HOME: home.root };
};

const runningProcess = (home: Home, app: string): RunningProcess | undefined =>
  readState(home)?.processes.find(({ name }) => name === app);

const plannedService = (plan: Plan, app: string): PlannedProcess => {
  const found = plan.services.find(({ name }) => name === app);
  if (found === undefined) throw new Error(`"${app}" is no service; there are ${plan.services.map((s) => s.name).join(', ')}.`);
  return found;
};

const readOr = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch {
    return otherwise;
  }
};

/** Users of the pods that are on record. */
const podUsers = (home: Home): Set<string> => {
  const records = path.join(home.pods, 'records');
  const names = readOr(() => readdirSync(records), []).filter((name) => name.endsWith('.json'));
  const uids = names.map((name) => readOr(() => (JSON.parse(readFileSync(path.join(records, name), 'utf8')) as { uid?: number }).uid, undefined));
  return new Set(uids.filter((uid) => uid !== undefined).map(String));
};

/** A pod has a user of its own, wherever it is; without root it works in a directory below the home's own. */
const podPids = (home: Home): number[] => {
  const users = podUsers(home);
  const isPods = (pid: number): boolean => {
    const uid = /^Uid:\s+(\d+)/m.exec(readOr(() => readFileSync(`/proc/${pid}/status`, 'utf8'), ''))?.[1] ?? '';
    // The runtime itself while it makes the container: no pod yet.
    if (readOr(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1'), '').split('\0')[0]?.endsWith('crun')) return false;
    return users.has(uid) || readOr(() => readlinkSync(`/proc/${pid}/cwd`), '').startsWith(`${home.pods}${path.sep}`);
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isPods);
};

const startAnotherGateway = async (plan: Plan): Promise<{ url: string; child: ChildProcess }> => {
  const { spawn: gateway } = plannedService(plan, 'gateway');
  const port = await chooseFreePort();
  const child = spawn(gateway.command, [...gateway.args], {
    cwd: gateway.cwd,
    env: { ...gateway.env, BRAVO_HTTP_PORT: String(port) },
    stdio: 'ignore',
  });
  await waitUntil('the second gateway', () => isHealthy({ kind: 'http', port, path: '/readyz' }), { timeoutMs: 60_000 });
  return { url: `http://127.0.0.1:${port}`, child };
};

const setFeatureOverride = async (home: Home, workspaceSlug: string, feature: string, enabled: boolean): Promise<void> => {
  const { requireRunning, withIdentity } = await import('@bravo/tools/cli/operator');
  const overrides = { workspaceId: '', workspaceSlug, feature, enabled, reason: 'set by a test', createdBy: '' };
  await withIdentity(requireRunning({ BRAVO_HOME: home.root }), (identity) =>
    identity.setFeatureOverride({ override: overrides } as Parameters<typeof identity.setFeatureOverride>[0]),
  );
};

export const startPlatform = async ({ env = {} }: PlatformOptions = {}): Promise<Platform> => {
  const home = homeAt(mkdtempSync(path.join(tmpdir(), 'bravo-platform-')));
  const environment = cleanEnvironment(home, { BRAVO_PORT: String(await chooseFreePort()), ...env });
  const bravo = async (...args: string[]): Promise<string> => {
    const options = { env: environment, maxBuffer: 16 * 1024 * 1024 };
    try {
      return (await run(nodeProgram(), ['--conditions=source', commandLine, ...args], options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`./bravo ${args.join(' ')} failed:\n${stdout}${stderr}`);
    }
  };
  const extraGateways: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const gateway of extraGateways) gateway.kill('SIGKILL');
    await bravo('down');
    for (const directory of [home.root, home.pods]) rmSync(directory, { recursive: true, force: true });
  };
  try {
    await bravo('up');
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
  const plan = readPlan(home);
  if (plan === undefined) throw new Error('up left no plan');
  const url = (app: string): string => `http://127.0.0.1:${plan.ports[httpPortName(app)] ?? 0}`;
  return {
    home: home.root,
    gatewayUrl: plan.gatewayUrl,
    grpcAddresses: Object.fromEntries(
      services
        .filter(({ grpc }) => grpc)
        .map(({ app, service }) => [service, `127.0.0.1:${plan.ports[grpcPortName(app)] ?? 0}`]),
    ),
    mcpUrl: `${url('tool-broker')}/mcp/`,
    modelUrl: `${url('model-gateway')}/v1`,
    token: async (name) =>
      JSON.parse(await bravo('token', '--as', name, '--json')) as { token: string; workspace: string },
    attach: async (name, conversation) =>
      JSON.parse(
        await bravo('attach', '--as', name, '--json', ...(conversation ? ['--conversation', conversation] : [])),
      ) as Awaited<ReturnType<Platform['attach']>>,
    setFeatureOverride: (workspace, feature, enabled) => setFeatureOverride(home, workspace, feature, enabled),
    podPids: () => Promise.resolve(podPids(home)),
    kill: async (app) => {
      const running = runningProcess(home, app);
      if (running === undefined || !isAlive(running)) throw new Error(`${app} is not running`);
      process.kill(running.pid, 'SIGKILL');
      await waitUntil(`the end of ${app}`, () => !isAlive(running));
    },
    waitReady: async (app) => {
      const { health } = plannedService(plan, app);
      const up = async (): Promise<boolean> => {
        const running = runningProcess(home, app);
        return running !== undefined && isAlive(running) && (await isHealthy(health));
      };
      await waitUntil(`${app} to be ready`, up, { timeoutMs: 60_000 });
    },
    startExtraGateway: async () => {
      const { url: address, child } = await startAnotherGateway(plan);
      extraGateways.push(child);
      return address;
    },
    stop,
  };
};
