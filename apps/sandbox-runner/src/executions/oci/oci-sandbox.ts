/** Runs programs in OCI containers on this machine; a program that cannot be isolated in full is not run at all. */
import { randomBytes } from 'node:crypto';
import { access, chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '@bravo/faults';
import {
  emptyResult,
  type Program,
  type ProgramResult,
  type RunWatch,
  type SandboxBackend,
  type SandboxDescription,
} from '../sandbox-backend.port.ts';
import { INSIDE_ID, bundleConfig } from './bundle-config.ts';
import type { CgroupLeaf } from './cgroup-leaf.ts';
import { commandLine, environment, scriptName } from './command-line.ts';
import { runCrun, type CrunEnd } from './crun-process.ts';
import { digestOf, harvest } from './harvest.ts';
import { createDirectory } from './create-directory.ts';
import { mountWorkspace, unmountAllUnder, unmountWorkspace, type RunPaths } from './mounts.ts';
import { prepareSandbox, type PreparedSandbox, type SandboxSettings } from './prepare-sandbox.ts';
import { runCommand } from './run-command.ts';
import { Slots } from './slots.ts';

const RETRY_PREPARATION_MS = 30_000;

export class OciSandbox implements SandboxBackend {
  readonly #settings: SandboxSettings;
  readonly #slots: Slots;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #preparation: Promise<PreparedSandbox> | undefined;
  #failed: { readonly at: number; readonly reason: string } | undefined;

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
    this.#slots = new Slots(settings.slots);
  }

  async describe(): Promise<SandboxDescription> {
    try {
      const languages = [...(await this.#prepared()).interpreters.keys()];
      return { available: true, reason: '', backend: 'oci', languages };
    } catch (error) {
      return { available: false, reason: reasonOf(error), backend: 'oci', languages: [] };
    }
  }

  async run(program: Program, watch: RunWatch): Promise<ProgramResult> {
    const prepared = await this.#prepared().catch((error: unknown) => {
      throw new Fault('sandbox_unavailable', reasonOf(error), { cause: error });
    });
    const interpreter = prepared.interpreters.get(program.language);
    if (interpreter === undefined) {
      const why = prepared.missing.get(program.language);
      throw new Fault('sandbox_unavailable', why ?? `There is no interpreter for ${program.language} on this machine.`);
    }
    const slot = await this.#acquire(watch.signal);
    if (slot === undefined) return NEVER_STARTED;
    const signal = AbortSignal.any([watch.signal, this.#closing.signal]);
    const run = this.#runInSlot(prepared, interpreter, slot, program, { ...bound(watch), signal });
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
      this.#slots.release(slot);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    const prepared = await this.#preparation?.catch(() => undefined);
    await prepared?.release();
  }

  async #acquire(signal: AbortSignal): Promise<number | undefined> {
    try {
      return await this.#slots.acquire(signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #prepared(): Promise<PreparedSandbox> {
    if (this.#closing.signal.aborted) return Promise.reject(new Error('The sandbox is shutting down.'));
    if (this.#failed !== undefined && Date.now() - this.#failed.at < RETRY_PREPARATION_MS) {
      return Promise.reject(new Error(this.#failed.reason));
    }
    this.#preparation ??= prepareSandbox(this.#settings, (prepared, interpreter, program, watch) =>
      this.#runInSlot(prepared, interpreter, 0, program, watch),
    ).catch((error: unknown) => {
      this.#preparation = undefined;
      this.#failed = { at: Date.now(), reason: reasonOf(error) };
      throw error;
    });
    return this.#preparation;
  }

  async #runInSlot(
    prepared: PreparedSandbox,
    interpreter: string,
    slot: number,
    program: Program,
    watch: RunWatch,
  ): Promise<ProgramResult> {
    const { instance, cgroups } = prepared;
    const id = `r${randomBytes(9).toString('hex')}`;
    const paths = runPaths(join(instance.runtimeDirectory, 'runs', id));
    const firstHostId = instance.firstHostId(slot);
    const owner = firstHostId + INSIDE_ID;
    let leaf: CgroupLeaf | undefined;
    let mounted = false;
    try {
      for (const directory of [paths.bundle, paths.inside, paths.view]) await createDirectory(directory, 0o711);
      await mountWorkspace(paths, owner);
      mounted = true;
      const script = scriptName(program.language, new Set(program.files.map((file) => file.path)));
      const inputs = [...program.files, { path: script, content: Buffer.from(program.code, 'utf8'), mode: 0o644 }];
      for (const file of inputs) await placeInput(paths.inside, file, owner);

      leaf = await cgroups.tree.createLeaf(id, program.limits);
      const config = bundleConfig({
        root: prepared.filesystem.root,
        workspace: paths.inside,
        binds: prepared.filesystem.binds,
        firstHostId,
        args: commandLine(program, interpreter, script),
        env: environment(program),
        limits: program.limits,
        seccomp: prepared.seccomp,
        ...(leaf.cgroupsPath === undefined ? {} : { cgroupsPath: leaf.cgroupsPath }),
      });
      await writeFile(join(paths.bundle, 'config.json'), JSON.stringify(config), { mode: 0o600 });

      const end = await runCrun(
        {
          runtime: this.#settings.runtime,
          stateDirectory: prepared.stateDirectory,
          paths,
          containerId: id,
          leaf,
          hybrid: cgroups.hybrid,
          timeoutSeconds: program.limits.timeoutSeconds,
        },
        watch,
      );
      await this.#refuseFailedStart(end, paths.log);
      const found = await harvest(paths.view, new Map(inputs.map((file) => [file.path, digestOf(file.content)])));
      return { ...end, ...found, oomKilled: end.outcome === 'oom_killed', timedOut: end.outcome === 'timed_out' };
    } finally {
      await this.#cleanUp(prepared, id, paths, leaf, mounted);
    }
  }

  /** The runtime's own complaint is no program output: it means that nothing ran, and is told as a fault. */
  async #refuseFailedStart(end: CrunEnd, logFile: string): Promise<void> {
    if (end.exitCode === 0 || end.outcome !== 'ok') return;
    const log = await readFile(logFile, 'utf8').catch(() => '');
    if (log.trim() === '') return;
    throw new Fault('sandbox_unavailable', `The container could not be started: ${lastLine(log)}`);
  }

  async #cleanUp(
    prepared: PreparedSandbox,
    id: string,
    paths: RunPaths,
    leaf: CgroupLeaf | undefined,
    mounted: boolean,
  ): Promise<void> {
    await leaf?.kill();
    if (await exists(join(prepared.stateDirectory, id))) {
      // Only a runtime that was itself killed leaves its notes about a container behind.
      await runCommand(this.#settings.runtime, ['--root', prepared.stateDirectory, 'delete', '--force', id]).catch(
        () => '',
      );
      await rm(join(prepared.stateDirectory, id), { recursive: true, force: true });
    }
    if (mounted) await unmountWorkspace(paths).catch(() => unmountAllUnder(paths.bundle));
    else await unmountAllUnder(paths.bundle);
    await leaf?.remove();
    await rm(paths.bundle, { recursive: true, force: true });
  }
}

const runPaths = (bundle: string): RunPaths => ({
  bundle,
  inside: join(bundle, 'workspace'),
  view: join(bundle, 'harvest'),
  stdout: join(bundle, 'stdout'),
  stderr: join(bundle, 'stderr'),
  log: join(bundle, 'crun.log'),
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const NEVER_STARTED: ProgramResult = { ...emptyResult('cancelled'), exitCode: 137, signal: 'SIGKILL' };

const reasonOf = (error: unknown): string => {
  if (error instanceof Fault) return error.detail;
  return error instanceof Error ? error.message : String(error);
};

const lastLine = (log: string): string => log.trim().split('\n').at(-1) ?? '';

const bound = (watch: RunWatch): Pick<RunWatch, 'onStarted' | 'onOutput'> => ({
  onStarted: () => watch.onStarted(),
  onOutput: (stream, chunk) => watch.onOutput(stream, chunk),
});

const placeInput = async (
  workspace: string,
  file: { readonly path: string; readonly content: Uint8Array; readonly mode: number },
  owner: number,
): Promise<void> => {
  const parts = dirname(file.path) === '.' ? [] : dirname(file.path).split('/');
  let directory = workspace;
  for (const part of parts) {
    directory = join(directory, part);
    const made = await mkdir(directory, { recursive: true });
    if (made !== undefined) {
      await chmod(directory, 0o755);
      await chown(directory, owner, owner);
    }
  }
  const path = join(workspace, file.path);
  await writeFile(path, file.content, { flag: 'wx' });
  await chmod(path, file.mode);
  await chown(path, owner, owner);
};
