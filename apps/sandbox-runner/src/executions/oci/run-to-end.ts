/** One program from its release to its end: whatever happens, afterwards nothing of it lives and its output was counted. */
import { constants } from 'node:os';
import { OUTPUT_LIMIT_BYTES, type Outcome, type OutputStream, type RunWatch } from '../sandbox-backend.port.ts';
import { CappedOutput } from './capped-output.ts';
import type { CgroupLeaf } from '@bravo/container-runtime/oci';
import type { WaitingRuntime } from './waiting-runtime.ts';

export interface ProgramEnd {
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

export interface Started {
  readonly runtime: WaitingRuntime;
  readonly leaf: CgroupLeaf;
  readonly timeoutSeconds: number;
  /** Bytes of each stream; absent: as much as any program may print. */
  readonly outputLimit?: number;
  /** Lets the program run. Throws when it cannot any more; then nothing of it has run. */
  release(): Promise<void>;
}

export const runToEnd = async (started: Started, watch: RunWatch): Promise<ProgramEnd> => {
  const run = new Run(started, watch);
  try {
    return await run.toItsEnd();
  } finally {
    run.letGo();
  }
};

class Run {
  readonly #started: Started;
  readonly #watch: RunWatch;
  readonly #counters: Readonly<Record<OutputStream, CappedOutput>>;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #cancel = () => this.#end('cancelled');
  #ended: Outcome | undefined;
  #failure: unknown;

  constructor(started: Started, watch: RunWatch) {
    this.#started = started;
    this.#watch = watch;
    const limit = started.outputLimit ?? OUTPUT_LIMIT_BYTES;
    this.#counters = { stdout: new CappedOutput(limit), stderr: new CappedOutput(limit) };
  }

  async toItsEnd(): Promise<ProgramEnd> {
    const { runtime, leaf } = this.#started;
    this.#count('stdout');
    this.#count('stderr');
    const began = performance.now();
    await this.#started.release();
    this.#watch.onStarted();
    this.#timers.push(
      setTimeout(() => this.#end('timed_out'), this.#started.timeoutSeconds * 1_000),
      setInterval(() => this.#lookForOom(), OOM_POLL_MS),
    );
    this.#watch.signal.addEventListener('abort', this.#cancel, { once: true });
    if (this.#watch.signal.aborted) this.#cancel();
    const exitCode = await runtime.exit;
    const durationMs = Math.round(performance.now() - began);
    // Whatever outlived the first process holds our pipes open; it dies here.
    await leaf.kill();
    await Promise.all([runtime.stdout.closed, runtime.stderr.closed]);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#ended === undefined && (await leaf.oomKills()) > 0) this.#ended = 'oom_killed';
    if (this.#ended === undefined && runtime.killed) throw new Error('the OCI runtime was killed from outside');
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
    this.#started.runtime.letGo();
  }

  #count(stream: OutputStream): void {
    const { reader } = this.#started.runtime[stream];
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
    this.#started.leaf.oomKills().then(
      (kills) => {
        if (kills > 0) this.#end('oom_killed');
      },
      () => undefined,
    );
  }

  /** The first reason to end is the one that is told. */
  #end(outcome: Outcome): void {
    const { runtime, leaf } = this.#started;
    if (this.#ended !== undefined || runtime.exited) return;
    this.#ended = outcome;
    // The runtime itself is spared at first, so that it can report and tidy up after its container.
    leaf.kill(runtime.pid).catch((error: unknown) => {
      this.#failure = error;
      runtime.kill();
    });
    this.#timers.push(setTimeout(() => runtime.kill(), 1_000));
  }
}
