/** One container process from start to end: whatever happens, after `ended` nothing of it lives and its output was counted. */
import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Outcome, OutputStream, RunWatch } from '../sandbox-backend.port.ts';
import { CappedOutput } from './capped-output.ts';
import type { CgroupLeaf } from './cgroup-leaf.ts';
import type { RunPaths } from './mounts.ts';
import { openPipe, type OpenPipe } from './output-pipe.ts';
import { COMMAND_ENVIRONMENT } from './run-command.ts';

export interface CrunLaunch {
  readonly runtime: string;
  readonly stateDirectory: string;
  readonly paths: RunPaths;
  readonly containerId: string;
  readonly leaf: CgroupLeaf;
  /** See `FoundCgroups.hybrid`. */
  readonly hybrid: string | undefined;
  readonly timeoutSeconds: number;
}

export interface CrunEnd {
  readonly outcome: Outcome;
  readonly exitCode: number;
  readonly signal: string;
  readonly durationMs: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
}

/** How often the out-of-memory counter is looked at, so that version 1 ends the whole tree as version 2 does. */
const OOM_POLL_MS = 50;

/** Reversed, because the first of two names for one number is the usual one (SIGABRT, not SIGIOT). */
const SIGNAL_NAMES = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** By the shell's convention, which is the only thing an exit status says. */
export const signalOf = (exitCode: number): string => (exitCode > 128 ? (SIGNAL_NAMES.get(exitCode - 128) ?? '') : '');

/** The command line that runs a bundle inside its leaf. */
export const crunCommand = (launch: CrunLaunch): [string, string[]] => {
  const crun = [
    launch.runtime,
    '--root',
    launch.stateDirectory,
    '--log',
    launch.paths.log,
    launch.leaf.managerOption,
    'run',
    '-b',
    launch.paths.bundle,
    launch.containerId,
  ];
  const hide = launch.hybrid === undefined ? '' : `umount ${launch.hybrid} || exit 125;`;
  const script = `${hide}${launch.leaf.joinScript === '' ? '' : `${launch.leaf.joinScript};`}exec "$@"`;
  const shell = ['/bin/sh', '-c', script, 'sh', ...crun];
  const [command = '/bin/sh', ...args] =
    launch.hybrid === undefined ? shell : ['unshare', '-m', '--propagation', 'private', '--', ...shell];
  return [command, args];
};

export const runCrun = async (launch: CrunLaunch, watch: RunWatch): Promise<CrunEnd> => {
  const pipes = { stdout: openPipe(launch.paths.stdout), stderr: openPipe(launch.paths.stderr) };
  const run = new CrunRun(launch, watch, pipes);
  try {
    return await run.toItsEnd();
  } finally {
    run.letGo();
  }
};

class CrunRun {
  readonly #launch: CrunLaunch;
  readonly #watch: RunWatch;
  readonly #pipes: Readonly<Record<OutputStream, OpenPipe>>;
  readonly #counters = { stdout: new CappedOutput(), stderr: new CappedOutput() };
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #cancel = () => this.#end('cancelled');
  #child: ChildProcess | undefined;
  #ended: Outcome | undefined;
  #exited = false;
  #failure: unknown;

  constructor(launch: CrunLaunch, watch: RunWatch, pipes: Readonly<Record<OutputStream, OpenPipe>>) {
    this.#launch = launch;
    this.#watch = watch;
    this.#pipes = pipes;
  }

  async toItsEnd(): Promise<CrunEnd> {
    const began = performance.now();
    const exitCode = await this.#start();
    const durationMs = Math.round(performance.now() - began);
    // Whatever outlived the first process holds our pipes open; it dies here.
    await this.#launch.leaf.kill();
    await Promise.all([this.#pipes.stdout.closed, this.#pipes.stderr.closed]);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#ended === undefined && (await this.#launch.leaf.oomKills()) > 0) this.#ended = 'oom_killed';
    return {
      outcome: this.#ended ?? 'ok',
      exitCode,
      signal: signalOf(exitCode),
      durationMs,
      stdoutTruncated: this.#counters.stdout.truncated,
      stderrTruncated: this.#counters.stderr.truncated,
    };
  }

  letGo(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#watch.signal.removeEventListener('abort', this.#cancel);
    for (const pipe of [this.#pipes.stdout, this.#pipes.stderr]) {
      pipe.closeWriter();
      pipe.reader.destroy();
    }
  }

  /** Resolves with the exit code of the container, 128 + signal number where a signal ended it. */
  #start(): Promise<number> {
    const [command, args] = crunCommand(this.#launch);
    const { stdout, stderr } = this.#pipes;
    const child = spawn(command, args, {
      env: COMMAND_ENVIRONMENT,
      cwd: '/',
      stdio: ['ignore', stdout.writer, stderr.writer],
    });
    this.#child = child;
    stdout.closeWriter();
    stderr.closeWriter();
    this.#count('stdout');
    this.#count('stderr');
    this.#timers.push(
      setTimeout(() => this.#end('timed_out'), this.#launch.timeoutSeconds * 1_000),
      setInterval(() => this.#lookForOom(), OOM_POLL_MS),
    );
    this.#watch.signal.addEventListener('abort', this.#cancel, { once: true });
    return new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', () => {
        this.#watch.onStarted();
        if (this.#watch.signal.aborted) this.#cancel();
      });
      child.once('exit', (code, signal) => {
        this.#exited = true;
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      });
    });
  }

  #count(stream: OutputStream): void {
    const { reader } = this.#pipes[stream];
    reader.on('data', (chunk: Buffer) => {
      const counter = this.#counters[stream];
      if (counter.truncated) return;
      const fitting = counter.take(chunk);
      if (fitting.length > 0) this.#watch.onOutput(stream, fitting);
      if (counter.truncated) {
        // Closing the reading end stops the writer at once; reading on would burn our processor for nobody.
        reader.destroy();
        this.#end('output_limit');
      }
    });
  }

  #lookForOom(): void {
    this.#launch.leaf.oomKills().then(
      (kills) => {
        if (kills > 0) this.#end('oom_killed');
      },
      () => undefined,
    );
  }

  /** The first reason to end is the one that is told. */
  #end(outcome: Outcome): void {
    if (this.#ended !== undefined || this.#exited) return;
    this.#ended = outcome;
    const child = this.#child;
    // The runtime itself is spared at first, so that it can report and tidy up after its container.
    this.#launch.leaf.kill(child?.pid).catch((error: unknown) => {
      this.#failure = error;
      child?.kill('SIGKILL');
    });
    this.#timers.push(setTimeout(() => child?.kill('SIGKILL'), 1_000));
  }
}
