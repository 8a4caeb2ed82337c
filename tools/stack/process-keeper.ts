/** Starts processes, starts a crashed one again, and stops exactly what it started; it never signals a process it did not start. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { EXIT_CONFIGURATION } from '@bravo/config';
import type { PlannedProcess } from './plan.ts';
import { endProcess, identify } from './process-identity.ts';
import type { RunningProcess } from './state-file.ts';

const firstDelayMs = 100;
const longestDelayMs = 10_000;
/** A process that lived this long is taken as healthy again: its next crash is answered quickly. */
const steadyMs = 20_000;
const patienceMs = 12_000;

/** Delay before the n-th restart in a row. */
export const restartDelay = (crashesInARow: number): number =>
  Math.min(firstDelayMs * 2 ** Math.max(0, crashesInARow - 1), longestDelayMs);

const longestLog = 16 * 1024 * 1024;

/** One older file is kept, so that a process that fails for days fills no disk. */
const openLog = (file: string): number => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > longestLog) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
};

/** What a start said in plain sentences; a service's log lines are JSON and are for other readers. */
const plainText = (file: string, from: number): string => {
  const fresh = readFileSync(file).subarray(from).toString('utf8');
  const plain = fresh.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));
  return plain.slice(0, 12).join('\n');
};

interface Kept {
  readonly planned: PlannedProcess;
  /** Plain text its last start ended with. */
  lastWords: string;
  /** It said that its configuration is wrong: starting it again as it is would lead nowhere. */
  misconfigured: boolean;
  running: RunningProcess | undefined;
  crashesInARow: number;
  restarts: number;
  timer: NodeJS.Timeout | undefined;
}

export class ProcessKeeper {
  readonly #logs: string;
  readonly #changed: (running: readonly RunningProcess[]) => void;
  readonly #say: (sentence: string) => void;
  readonly #kept: Kept[] = [];
  #stopping = false;

  constructor(
    logs: string,
    changed: (running: readonly RunningProcess[]) => void,
    say: (sentence: string) => void,
  ) {
    this.#logs = logs;
    this.#changed = changed;
    this.#say = say;
  }

  /** Starts it now and keeps it up from here on. */
  keep(planned: PlannedProcess): void {
    const kept: Kept = {
      planned,
      lastWords: '',
      misconfigured: false,
      running: undefined,
      crashesInARow: 0,
      restarts: 0,
      timer: undefined,
    };
    this.#kept.push(kept);
    this.#start(kept);
  }

  /** How the starts of a process have gone so far. */
  historyOf(name: string): Pick<Kept, 'crashesInARow' | 'lastWords' | 'misconfigured'> {
    return this.#kept.find(({ planned }) => planned.name === name) ?? { crashesInARow: 0, lastWords: '', misconfigured: false };
  }

  /** In reverse order of their start, one after another, so that nobody loses what it still needs. */
  async stopAll(): Promise<void> {
    this.#stopping = true;
    for (const kept of [...this.#kept].reverse()) {
      clearTimeout(kept.timer);
      if (kept.running) await endProcess(kept.running, kept.planned.spawn.stopSignal, patienceMs);
      kept.running = undefined;
      this.#tell();
    }
  }

  #tell(): void {
    this.#changed(this.#kept.flatMap(({ running }) => (running ? [running] : [])));
  }

  #start(kept: Kept): void {
    if (this.#stopping) return;
    const { name, spawn: plan } = kept.planned;
    const logFile = path.join(this.#logs, `${name}.log`);
    const log = openLog(logFile);
    const logBegun = fstatSync(log).size;
    let child: ChildProcess;
    const umask = process.umask(plan.umask ?? 0o077);
    try {
      child = spawn(plan.command, [...plan.args], {
        cwd: plan.cwd,
        env: { ...plan.env },
        ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid ?? plan.uid }),
        stdio: ['ignore', log, log],
        // A group of its own: what it leaves behind can be found and ended with it.
        detached: true,
      });
    } finally {
      process.umask(umask);
      closeSync(log);
    }
    const startedAt = Date.now();
    const identity = child.pid === undefined ? undefined : identify(child.pid);
    kept.running = identity && {
      ...identity,
      name,
      stop_signal: plan.stopSignal,
      started_at: new Date(startedAt).toISOString(),
      restarts: kept.restarts,
    };
    this.#tell();
    let over = false;
    const ended = (how: string, code: number | null = null): void => {
      if (over) return;
      over = true;
      if (this.#stopping) return;
      kept.running = undefined;
      kept.lastWords = plainText(logFile, logBegun);
      if (code === EXIT_CONFIGURATION) {
        kept.misconfigured = true;
        this.#say(`${name} refuses its configuration and is not started again`);
        this.#tell();
        return;
      }
      kept.crashesInARow = Date.now() - startedAt > steadyMs ? 1 : kept.crashesInARow + 1;
      kept.restarts += 1;
      const delay = restartDelay(kept.crashesInARow);
      this.#say(`${name} ended (${how}); it is started again in ${delay} ms`);
      this.#tell();
      kept.timer = setTimeout(() => this.#start(kept), delay);
    };
    child.once('error', (error) => ended(error.message));
    child.once('exit', (code, signal) => ended(signal ?? `exit code ${code ?? 'unknown'}`, code));
  }
}
