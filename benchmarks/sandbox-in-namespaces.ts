/**
 * Measures the sandbox itself, inside namespaces as the sandbox-runner has them: programs cold and warm beside the OCI runtime alone
 * with the same bundle and beside the bare interpreter, in turn. Prints one JSON object; `execution.bench.ts` starts it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { instanceOf } from '../apps/sandbox-runner/src/executions/oci/instance.ts';
import { OciSandbox } from '../apps/sandbox-runner/src/executions/oci/oci-sandbox.ts';
import type { SandboxSettings } from '../apps/sandbox-runner/src/executions/oci/prepare-sandbox.ts';
import { tracesOf } from '../apps/sandbox-runner/src/executions/oci/traces.fixture.ts';
import type { InputFile, Language } from '../apps/sandbox-runner/src/executions/sandbox-backend.port.ts';
import type { SandboxNumbers, SandboxOrder, Timings } from './sandbox-numbers.ts';

const order = JSON.parse(process.argv[2] ?? '{}') as SandboxOrder;
const LANGUAGES = ['bash', 'python', 'node'] as const;
const EMPTY: Readonly<Record<Language, string>> = { bash: 'true', python: 'pass', node: ';' };
const LONG: Readonly<Record<Language, string>> = {
  bash: 'sleep 2',
  python: 'import time; time.sleep(2)',
  node: 'setTimeout(() => {}, 2000)',
};
const EXTENSION: Readonly<Record<Language, string>> = { bash: 'sh', python: 'py', node: 'js' };
const AT_ONCE = [1, 2, 8] as const;

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'bravo-bench-')));
const open = (name: string, more: Partial<SandboxSettings>): { sandbox: OciSandbox; directory: string } => {
  const directory = path.join(scratch, name);
  mkdirSync(directory);
  const sandbox = new OciSandbox({
    ...order.settings,
    directory,
    spare: 8,
    warm: {},
    onTrouble: (error) => console.error(error),
    ...more,
  });
  return { sandbox, directory };
};

const run = async (
  sandbox: OciSandbox,
  language: Language,
  code: string,
  files: readonly InputFile[] = [],
): Promise<number> => {
  const begun = performance.now();
  const result = await sandbox.run(
    { language, code, files, env: {}, limits: { timeoutSeconds: 60, memoryMb: 256, cpu: 1 } },
    { onStarted: () => undefined, onOutput: () => undefined, signal: new AbortController().signal },
  );
  if (result.outcome !== 'ok' && result.outcome !== 'output_limit') throw new Error(`${language}: ${result.outcome}`);
  if (result.outcome === 'ok' && result.exitCode !== 0) throw new Error(`${language} ended with ${result.exitCode}`);
  return performance.now() - begun;
};

const alone = async (command: string, args: readonly string[]): Promise<number> => {
  const begun = performance.now();
  const child = spawn(command, [...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  return performance.now() - begun;
};

interface OciConfig {
  mounts: { destination: string; source: string }[];
  linux: { cgroupsPath?: string; resources?: object; uidMappings: { hostID: number }[] };
}

/** The bundle of a run that is under way, kept: its workspace a plain directory with an empty program, without limits. */
const keepBundle = async (sandbox: OciSandbox, directory: string, language: Language): Promise<string> => {
  const runs = path.join(instanceOf(directory).runtimeDirectory, 'runs');
  const running = run(sandbox, language, LONG[language]);
  await delay(1_000);
  const config = readdirSync(runs)
    .map((name) => path.join(runs, name, 'config.json'))
    .flatMap((file) => {
      try {
        return [JSON.parse(readFileSync(file, 'utf8')) as OciConfig];
      } catch {
        return [];
      }
    })[0];
  await running;
  if (config === undefined) throw new Error('no bundle was seen');
  const bundle = path.join(instanceOf(directory).runtimeDirectory, `bench-${language}`);
  const workspace = path.join(bundle, 'workspace');
  mkdirSync(workspace, { recursive: true });
  const script = path.join(workspace, `main.${EXTENSION[language]}`);
  writeFileSync(script, EMPTY[language]);
  const owner = (config.linux.uidMappings[0]?.hostID ?? 0) + 1000;
  for (const each of [workspace, script]) chownSync(each, owner, owner);
  for (const mount of config.mounts) if (mount.destination === '/workspace') mount.source = workspace;
  delete config.linux.cgroupsPath;
  delete config.linux.resources;
  writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(config));
  return bundle;
};

let rawRuns = 0;
const raw = (directory: string, bundle: string): Promise<number> => {
  rawRuns += 1;
  const words = [
    '--root',
    path.join(instanceOf(directory).runtimeDirectory, 'runtime'),
    '--cgroup-manager=disabled',
    'run',
    '-b',
    bundle,
  ];
  return alone('crun', [...words, `bench-${rawRuns}`]);
};

const together = (count: number, one: () => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, one));

const timings = async (): Promise<Timings[]> => {
  const cold = open('cold', {});
  const warm = open('warm', { warm: { bash: 4, python: 4, node: 4 } });
  const measured: Timings[] = [];
  try {
    for (const language of LANGUAGES) {
      await cold.sandbox.settled();
      const bundle = await keepBundle(cold.sandbox, cold.directory, language);
      for (const atOnce of AT_ONCE) {
        const times: Timings = { language, atOnce, cold: [], warm: [], raw: [], bare: [] };
        const batches = Math.ceil(order.samples / atOnce);
        const rest = async () => {
          await warm.sandbox.settled();
          await cold.sandbox.settled();
          await delay(order.restMs);
        };
        for (let batch = 0; batch < batches; batch += 1) {
          await rest();
          times.cold.push(...(await together(atOnce, () => run(cold.sandbox, language, EMPTY[language]))));
          await rest();
          times.raw.push(...(await together(atOnce, () => raw(cold.directory, bundle))));
          await rest();
          times.warm.push(...(await together(atOnce, () => run(warm.sandbox, language, EMPTY[language]))));
          await rest();
          times.bare.push(
            ...(await together(atOnce, () => alone(order.bare[language][0] ?? '', order.bare[language].slice(1)))),
          );
        }
        measured.push(times);
      }
    }
    return measured;
  } finally {
    await warm.sandbox.close();
    await cold.sandbox.close();
  }
};

const volumes = async (): Promise<Omit<SandboxNumbers, 'timings'>> => {
  const { sandbox, directory } = open('volumes', { warm: { bash: 1, python: 1, node: 1 } });
  try {
    await sandbox.settled();
    const waiting = await sandbox.waiting();
    const before = await tracesOf(directory);
    const sequential = performance.now();
    for (let n = 0; n < order.sequential; n += 1) await run(sandbox, 'bash', 'echo x > f');
    const sequentialMs = (performance.now() - sequential) / order.sequential;
    const concurrent = performance.now();
    await together(order.concurrent, () => run(sandbox, 'bash', 'echo x > f'));
    const concurrentMs = (performance.now() - concurrent) / order.concurrent;
    await sandbox.settled();
    const after = await tracesOf(directory);
    // An interpreter that is just starting has a process more for a moment; the end, below, counts every one.
    if (JSON.stringify({ ...after, processes: 0 }) !== JSON.stringify({ ...before, processes: 0 })) {
      throw new Error(`something was left: ${JSON.stringify({ before, after })}`);
    }
    const MIB = 1024 * 1024;
    const half = Buffer.alloc(8 * MIB, 120);
    const files = ['a', 'b'].map((name) => ({ path: name, content: half, mode: 0o644 }));
    const incoming = performance.now();
    for (let n = 0; n < order.volumeMib / 16; n += 1) await run(sandbox, 'bash', 'true', files);
    const inSeconds = (performance.now() - incoming) / 1000;
    const outgoing = performance.now();
    for (let n = 0; n < order.volumeMib / 8; n += 1)
      await run(sandbox, 'bash', 'head -c 4M /dev/zero > a; head -c 4M /dev/zero > b');
    const outSeconds = (performance.now() - outgoing) / 1000;
    const used = process.cpuUsage();
    for (let n = 0; n < order.floods; n += 1) await run(sandbox, 'bash', 'yes');
    const { user, system } = process.cpuUsage(used);
    return {
      waiting,
      sequentialMs,
      concurrentMs,
      inMibPerSecond: order.volumeMib / inSeconds,
      outMibPerSecond: order.volumeMib / outSeconds,
      floodCpuMs: (user + system) / 1000 / order.floods,
    };
  } finally {
    await sandbox.close();
  }
};

try {
  const numbers = { timings: await timings(), ...(await volumes()) } satisfies SandboxNumbers;
  const left = await tracesOf(path.join(scratch, 'volumes'));
  if (Object.values(left).some((count) => count !== 0)) throw new Error(`something was left: ${JSON.stringify(left)}`);
  process.stdout.write(JSON.stringify(numbers));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
