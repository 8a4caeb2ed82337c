/** What the runner adds to a program (limits, a sized workspace, harvest, its record) over the OCI runtime with the bundle it made itself. */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { withSandbox, requireRunning } from '@bravo/tools/cli/operator';
import { nodeProgram } from '@bravo/tools/stack/checkout';
import { homeAt } from '@bravo/tools/stack/home';
import { readState } from '@bravo/tools/stack/state-file';
import { type Benchmark, quantile, timed } from './benchmark.ts';
import { familyOf } from './processes.ts';

const run = promisify(execFile);

interface OciConfig {
  process: { args: string[] };
  mounts: { destination: string; source: string }[];
  linux: { cgroupsPath?: string; resources?: object; uidMappings: { hostID: number }[] };
}

type Execute = (code: string) => Promise<void>;

/** The bundle of a run that is under way, kept for later: its program replaced by `true`, its workspace by a plain directory. */
const keepBundle = async (directory: string, execute: Execute): Promise<string> => {
  const running = execute('sleep 2');
  let config: OciConfig | undefined;
  for (const until = Date.now() + 20_000; config === undefined && Date.now() < until;) {
    const file = readdirSync(path.join(directory, 'runs'))
      .map((name) => path.join(directory, 'runs', name, 'config.json'))
      .find((each) => existsSync(each));
    try {
      if (file !== undefined) config = JSON.parse(readFileSync(file, 'utf8')) as OciConfig;
    } catch {
      // It is being written.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await running;
  if (config === undefined) throw new Error('no bundle was seen');
  const bundle = path.join(directory, 'bench');
  const workspace = path.join(bundle, 'workspace');
  mkdirSync(workspace, { recursive: true });
  writeFileSync(path.join(workspace, 'main.sh'), 'true');
  const owner = (config.linux.uidMappings[0]?.hostID ?? 0) + 1000;
  for (const each of [workspace, path.join(workspace, 'main.sh')]) chownSync(each, owner, owner);
  for (const mount of config.mounts) if (mount.destination === '/workspace') mount.source = workspace;
  delete config.linux.cgroupsPath;
  delete config.linux.resources;
  writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(config));
  return bundle;
};

export const benchmark: Benchmark = {
  title: 'A program: `true` through the sandbox-runner / raw crun with the same bundle',
  run: async ({ smoke, platform }) => {
    const stage = await platform();
    const home = homeAt(stage.home);
    const launcher = readState(home)?.processes.find(({ name }) => name === 'sandbox-runner')?.pid;
    const namespaces = launcher === undefined ? [] : familyOf(launcher);
    const runner = namespaces.at(-1);
    if (runner === undefined) throw new Error('there is no sandbox-runner');
    const instance = `bravo-sandbox-${createHash('sha256').update(realpathSync(home.sandbox)).digest('hex').slice(0, 16)}`;
    const directory = path.join('/run', instance);
    return withSandbox(requireRunning({ BRAVO_HOME: stage.home }), async (sandbox) => {
      const execute: Execute = async (code) => {
        const id = `bench-${randomUUID()}`;
        const request = {
          executionId: id,
          conversationId: id,
          language: 'bash',
          code,
          files: [],
          env: {},
          limits: { timeoutSeconds: 0, memoryMb: 0, cpu: 0 },
        };
        for await (const { event } of sandbox.runExecution(request)) {
          if (event?.$case === 'finished' && event.finished.exitCode !== 0)
            throw new Error(`the program ended with ${event.finished.exitCode}`);
        }
      };
      const bundle = await keepBundle(directory, execute);
      try {
        // Into the runner's mount and process namespaces, where its root directory is.
        const raw = async (times: number): Promise<number[]> => {
          const program = path.join(import.meta.dirname, 'raw-crun.ts');
          const args = [
            '-t',
            String(runner),
            '-m',
            '-p',
            '--',
            nodeProgram(),
            program,
            'crun',
            path.join(directory, 'crun'),
            bundle,
            String(times),
          ];
          return JSON.parse((await run('nsenter', args)).stdout) as number[];
        };
        const ours: number[] = [];
        const reference: number[] = [];
        for (let block = 0; block < (smoke ? 2 : 6); block += 1) {
          const times = smoke ? 3 : 10;
          for (let n = 0; n < times; n += 1) ours.push(await timed(() => execute('true')));
          reference.push(...(await raw(times)));
        }
        const row = (name: string, fraction: number) => ({
          name,
          unit: 'ms',
          ours: quantile(ours, fraction),
          reference: quantile(reference, fraction),
        });
        return [{ ...row('one run, p50', 0.5), goal: 1.2 }, row('one run, p95', 0.95)];
      } finally {
        rmSync(bundle, { recursive: true, force: true });
      }
    });
  },
};
