/**
 * A process that already waits inside its cgroup, with its output pipes, to become the OCI runtime: starting a process and
 * moving it into a cgroup are what a start would otherwise spend most of its time on. If we die it reads its end and ends.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import {
  type CgroupLeaf,
  COMMAND_ENVIRONMENT,
  type OciRuntime,
  runWords,
  scriptBefore,
} from '@bravo/container-runtime/oci';
import type { RunPaths } from './mounts.ts';
import { openPipe, type OpenPipe } from './output-pipe.ts';

export interface RuntimeLaunch {
  readonly runtime: OciRuntime;
  readonly stateDirectory: string;
  readonly paths: RunPaths;
  readonly containerId: string;
  readonly leaf: CgroupLeaf;
  /** Cgroup mounts the runtime must not see; see `mountsToHide`. */
  readonly hidden: readonly string[];
}

/** The command line that joins the leaf, waits for a line, and then is the runtime. */
export const runtimeCommand = (launch: RuntimeLaunch): [string, string[]] => {
  const { runtime, leaf, paths } = launch;
  const words = runWords(runtime, leaf, {
    state: launch.stateDirectory,
    log: paths.log,
    bundle: paths.bundle,
    name: launch.containerId,
  });
  const script = [...scriptBefore(leaf, launch.hidden), 'read -r go || exit 125', 'exec "$@" </dev/null'].join('\n');
  const shell = ['/bin/sh', '-c', script, 'sh', ...words];
  const [command = '/bin/sh', ...args] =
    launch.hidden.length === 0 ? shell : ['unshare', '-m', '--propagation', 'private', '--', ...shell];
  return [command, args];
};

export class WaitingRuntime {
  readonly stdout: OpenPipe;
  readonly stderr: OpenPipe;
  /** Exit code of the container, 128 + signal number where a signal ended it. Rejects when nothing could be started. */
  readonly exit: Promise<number>;
  /** Once `exit` is there: whether the runtime itself was killed, so that its code says nothing of the program. */
  killed = false;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  #exited = false;

  constructor(launch: RuntimeLaunch) {
    this.stdout = openPipe(launch.paths.stdout);
    this.stderr = openPipe(launch.paths.stderr);
    const [command, args] = runtimeCommand(launch);
    const child = spawn(command, args, {
      env: COMMAND_ENVIRONMENT,
      cwd: '/',
      stdio: ['pipe', this.stdout.writer, this.stderr.writer],
    });
    this.#child = child;
    this.#input = child.stdin as Writable;
    // It ended before it was told to begin: `exit` tells.
    this.#input.on('error', () => undefined);
    this.stdout.closeWriter();
    this.stderr.closeWriter();
    this.exit = new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        this.#exited = true;
        this.killed = code === null;
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      });
    });
    this.exit.catch(() => (this.#exited = true));
  }

  get exited(): boolean {
    return this.#exited;
  }

  /** Asks the kernel, because of a process that was just killed we hear only later. */
  isAlive(): boolean {
    if (this.#exited || this.pid === undefined) return false;
    try {
      const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
      return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
    } catch {
      return false;
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** From here on the program may run. */
  begin(): void {
    this.#input.end('go\n');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets go of the pipes; the process is not touched. */
  letGo(): void {
    this.#input.destroy();
    for (const pipe of [this.stdout, this.stderr]) {
      pipe.closeWriter();
      pipe.reader.destroy();
    }
  }
}
