/** Runs programs in OCI containers on this machine; a program that cannot be isolated in full is not run at all. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import { DEFAULT_LIMITS } from '../clamp-limits.ts';
import {
  emptyResult,
  type Language,
  type Limits,
  type Program,
  type ProgramResult,
  type RunWatch,
  type SandboxBackend,
  type SandboxDescription,
} from '../sandbox-backend.port.ts';
import type { JobBackend, JobEnd, JobProgram, JobWatch } from '../../jobs/job-backend.port.ts';
import { bundleConfig, groupLimits } from './bundle-config.ts';
import type { Cell } from './cell.ts';
import { CellSupply } from './cell-supply.ts';
import { commandLine, environment, scriptName } from './command-line.ts';
import { digestOf, harvest } from './harvest.ts';
import { prepareSandbox, tryLanguages, type PreparedSandbox, type SandboxSettings } from './prepare-sandbox.ts';
import { refuseFailedStart } from './refuse-failed-start.ts';
import { listPrograms, runJob, type JobStage } from './run-job.ts';
import { runToEnd, type ProgramEnd } from './run-to-end.ts';
import { handOver, WaitingInterpreters, type WaitingInterpreter } from './waiting-interpreters.ts';

const RETRY_PREPARATION_MS = 30_000;

/** A prepared machine with what waits on it. */
interface Stage {
  readonly prepared: PreparedSandbox;
  readonly cells: CellSupply;
  readonly warm: WaitingInterpreters;
}

export class OciSandbox implements SandboxBackend, JobBackend {
  readonly #settings: SandboxSettings;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #starts = { warm: 0, cold: 0 };
  #stage: Promise<Stage> | undefined;
  #programs: Promise<ReadonlyMap<string, string>> | undefined;
  #failed: { readonly at: number; readonly reason: string } | undefined;

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
  }

  /** How many programs found a waiting interpreter, and how many had one started for them. */
  get starts(): { readonly warm: number; readonly cold: number } {
    return { ...this.#starts };
  }

  async describe(): Promise<SandboxDescription> {
    try {
      const languages = [...(await this.#ready()).prepared.roots.keys()];
      return { available: true, reason: '', backend: 'oci', languages };
    } catch (error) {
      return { available: false, reason: reasonOf(error), backend: 'oci', languages: [] };
    }
  }

  async run(program: Program, watch: RunWatch): Promise<ProgramResult> {
    const stage = await this.#ready().catch((error: unknown) => {
      throw new Fault('sandbox_unavailable', reasonOf(error), { cause: error });
    });
    if (!stage.prepared.roots.has(program.language)) {
      const why = stage.prepared.missing.get(program.language);
      throw new Fault('sandbox_unavailable', why ?? `There is no interpreter for ${program.language} on this machine.`);
    }
    if (watch.signal.aborted) return NEVER_STARTED;
    const run = this.#runOnce(stage, program, {
      onStarted: () => watch.onStarted(),
      onOutput: (stream, chunk) => watch.onOutput(stream, chunk),
      signal: AbortSignal.any([watch.signal, this.#closing.signal]),
    });
    return this.#counted(run);
  }

  async runJob(job: JobProgram, watch: JobWatch): Promise<JobEnd> {
    const stage = await this.#jobStage();
    const onInput = watch.onInput === undefined ? {} : { onInput: watch.onInput.bind(watch) };
    return this.#counted(
      runJob(stage, job, {
        ...onInput,
        onStarted: () => watch.onStarted(),
        onOutput: (stream, chunk) => watch.onOutput(stream, chunk),
        signal: AbortSignal.any([watch.signal, this.#closing.signal]),
      }),
    );
  }

  async programs(): Promise<ReadonlyMap<string, string>> {
    const stage = await this.#jobStage();
    // The roots are read-only and this instance's for as long as it lives.
    this.#programs ??= this.#counted(listPrograms(stage)).catch((error: unknown) => {
      this.#programs = undefined;
      throw error;
    });
    return this.#programs;
  }

  async #jobStage(): Promise<JobStage> {
    const { prepared, cells } = await this.#ready().catch((error: unknown) => {
      throw new Fault('sandbox_unavailable', reasonOf(error), { cause: error });
    });
    return { prepared, cells };
  }

  async #counted<T>(run: Promise<T>): Promise<T> {
    this.#running.add(run);
    try {
      return await run;
    } finally {
      this.#running.delete(run);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    const stage = await this.#stage?.catch(() => undefined);
    if (stage === undefined) return;
    await stage.warm.close();
    await stage.cells.close();
    await stage.prepared.release();
  }

  /** Resolves when everything used was removed and everything that should wait does. */
  async settled(): Promise<void> {
    const stage = await this.#ready();
    await stage.warm.settled();
    await stage.cells.settled();
  }

  /** Interpreters that wait per language with the memory the kernel counts for them, and furnished cells. */
  async waiting(): Promise<{ what: Language | 'cell'; count: number; bytes: number }[]> {
    const stage = await this.#stage?.catch(() => undefined);
    if (stage === undefined) return [];
    const kinds = new Map<Language | 'cell', Cell[]>();
    const add = (what: Language | 'cell', cell: Cell) => kinds.set(what, [...(kinds.get(what) ?? []), cell]);
    for (const { language, cell } of stage.warm.waiting) add(language, cell);
    for (const cell of stage.cells.waiting) add('cell', cell);
    return Promise.all(
      [...kinds].map(async ([what, cells]) => {
        const bytes = await Promise.all(cells.map((cell) => cell.leaf.memoryInUse().catch(() => 0)));
        return { what, count: cells.length, bytes: bytes.reduce((sum, each) => sum + each, 0) };
      }),
    );
  }

  #ready(): Promise<Stage> {
    if (this.#closing.signal.aborted) return Promise.reject(new Error('The sandbox is shutting down.'));
    if (this.#failed !== undefined && Date.now() - this.#failed.at < RETRY_PREPARATION_MS) {
      return Promise.reject(new Error(this.#failed.reason));
    }
    this.#stage ??= this.#prepare().catch((error: unknown) => {
      this.#stage = undefined;
      this.#failed = { at: Date.now(), reason: reasonOf(error) };
      throw error;
    });
    return this.#stage;
  }

  async #prepare(): Promise<Stage> {
    const site = await prepareSandbox(this.#settings);
    const trouble = this.#settings.onTrouble ?? (() => undefined);
    const cells = new CellSupply({ site, spare: this.#settings.spare, limits: DEFAULT_LIMITS, onTrouble: trouble });
    try {
      const prepared = await tryLanguages(site, (tried, program, watch) =>
        this.#runCold({ prepared: tried, cells }, program, watch),
      );
      const warm = new WaitingInterpreters({
        sizes: Object.fromEntries([...prepared.roots.keys()].map((name) => [name, this.#settings.warm[name] ?? 0])),
        limits: DEFAULT_LIMITS,
        start: (language, script) => startInterpreter({ prepared, cells }, language, script),
        dispose: (cell) => cells.dispose(cell),
        onTrouble: trouble,
      });
      void cells.fill();
      warm.refill();
      return { prepared, cells, warm };
    } catch (error) {
      await cells.close();
      await site.release();
      throw error;
    }
  }

  async #runOnce(stage: Stage, program: Program, watch: RunWatch): Promise<ProgramResult> {
    const waiting = stage.warm.take(program);
    if (waiting !== undefined) {
      const result = await this.#runWarm(stage, waiting, program, watch);
      if (result !== undefined) {
        this.#starts.warm += 1;
        return result;
      }
    }
    this.#starts.cold += 1;
    return this.#runCold(stage, program, watch);
  }

  /** Undefined when the interpreter was gone before it had read anything. */
  async #runWarm(
    stage: Stage,
    waiting: WaitingInterpreter,
    program: Program,
    watch: RunWatch,
  ): Promise<ProgramResult | undefined> {
    const { cell } = waiting;
    let released = false;
    let handedOver = false;
    try {
      await cell.leaf.limit(groupLimits(program.limits));
      await cell.place(program.files);
      const script = scriptName(program.language, new Set());
      const end = await runToEnd(
        {
          runtime: cell.runtime,
          leaf: cell.leaf,
          timeoutSeconds: program.limits.timeoutSeconds,
          release: async () => {
            handedOver = true;
            await handOver(waiting, script, program.code);
            released = true;
          },
        },
        watch,
      );
      return await resultOf(cell, end, program, script);
    } catch (error) {
      if (released) throw error;
      return undefined;
    } finally {
      if (handedOver) stage.cells.dispose(cell);
      else stage.warm.drop(waiting);
    }
  }

  async #runCold(stage: Omit<Stage, 'warm'>, program: Program, watch: RunWatch): Promise<ProgramResult> {
    const cell = await stage.cells.take(program.limits);
    try {
      const script = scriptName(program.language, new Set(program.files.map((file) => file.path)));
      cell.withoutScriptPipe();
      await cell.place([...program.files, { path: script, content: Buffer.from(program.code, 'utf8'), mode: 0o644 }]);
      cell.writeBundle(bundleOf(stage.prepared, cell, program, script));
      const end = await runToEnd(
        {
          runtime: cell.runtime,
          leaf: cell.leaf,
          timeoutSeconds: program.limits.timeoutSeconds,
          release: () => {
            cell.runtime.begin();
            return Promise.resolve();
          },
        },
        watch,
      );
      await refuseFailedStart(end, cell.paths.log);
      return await resultOf(cell, end, program, script);
    } finally {
      stage.cells.dispose(cell);
    }
  }
}

const resultOf = async (cell: Cell, end: ProgramEnd, program: Program, script: string): Promise<ProgramResult> => {
  const baseline = new Map(program.files.map((file) => [file.path, digestOf(file.content)]));
  baseline.set(script, digestOf(Buffer.from(program.code, 'utf8')));
  const found = await harvest(cell.paths.view, baseline);
  return { ...end, ...found, oomKilled: end.outcome === 'oom_killed', timedOut: end.outcome === 'timed_out' };
};

const bundleOf = (
  prepared: PreparedSandbox,
  cell: Cell,
  program: Pick<Program, 'language' | 'env' | 'limits'>,
  script: string,
): object => {
  const root = prepared.roots.get(program.language);
  if (root === undefined) throw new Error(`no root for ${program.language}`);
  return bundleConfig({
    root: root.root,
    workspace: cell.paths.inside,
    binds: root.binds,
    firstHostId: cell.firstHostId,
    args: commandLine(program, root.interpreter, script),
    env: environment(program),
    limits: program.limits,
    seccomp: prepared.seccomp,
    cgroupsPath: cell.leaf.cgroupsPath,
  });
};

/** An interpreter as a program's own would be, except that its script is a pipe nobody has written to. */
const startInterpreter = async (stage: Omit<Stage, 'warm'>, language: Language, script: string): Promise<Cell> => {
  const limits: Limits = DEFAULT_LIMITS;
  const cell = await stage.cells.take(limits);
  try {
    await rename(cell.paths.script, join(cell.paths.inside, script));
    cell.writeBundle(bundleOf(stage.prepared, cell, { language, env: {}, limits }, script));
    cell.runtime.begin();
    return cell;
  } catch (error) {
    stage.cells.dispose(cell);
    throw error;
  }
};

const NEVER_STARTED: ProgramResult = { ...emptyResult('cancelled'), exitCode: 137, signal: 'SIGKILL' };

const reasonOf = (error: unknown): string => {
  if (error instanceof Fault) return error.detail;
  return error instanceof Error ? error.message : String(error);
};
