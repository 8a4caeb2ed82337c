/** One container: started with nothing of ours but its secret, and gone as a whole, processes, files and user, when it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import { accepts, chooseFreePort } from './ports.ts';
import type { Container, ContainerExit, ContainerSpec } from '../container-runtime.port.ts';
import { killProcesses } from './kill-processes.ts';
import { PRLIMIT, SETPRIV } from './preconditions.ts';
import { identityOf, listenerUid, pidsOfTree, pidsOfUid, residentBytes } from './process-table.ts';
import type { PodRecord, PodRecords } from './pod-records.ts';
import type { UidClaims } from './uid-claims.ts';

const TAIL_BYTES = 8_192;
const MAX_PROCESSES = 512;

/** How processes are found again where they share our user: children inherit it unless they mean to hide. */
const markerOf = (name: string): string => `BRAVO_CONTAINER=${name}`;

const processesOf = (
  name: string,
  uid: number | undefined,
  leader: number | undefined,
  seen: Map<number, string>,
): readonly number[] => (uid === undefined ? pidsOfTree(leader, markerOf(name), seen) : pidsOfUid(uid));

/** Ends and removes what the record tells of. */
export const removeLeftover = async (record: PodRecord, records: PodRecords, claims: UidClaims): Promise<void> => {
  // A leader that is another process by now must not be taken for ours.
  const leader = record.process && identityOf(record.process.pid);
  const same = leader?.startTime === record.process?.startTime && leader?.bootId === record.process?.bootId;
  const seen = new Map<number, string>();
  await killProcesses(() => processesOf(record.name, record.uid, same ? leader?.pid : undefined, seen), record.name);
  await rm(record.directory, { recursive: true, force: true });
  if (record.uid !== undefined) await claims.release(record.uid);
  await records.removePod(record.name);
};

export class LocalContainer {
  readonly spec: ContainerSpec;
  readonly ended: Promise<ContainerExit>;
  readonly #records: PodRecords;
  readonly #claims: UidClaims;
  #record: PodRecord;
  #port = 0;
  /** Its own socket was seen at the port: looked up once, because the table of sockets is long. */
  #serves = false;
  #child: ChildProcess | undefined;
  #tail = '';
  #exit: ContainerExit | undefined;
  #reason: ContainerExit['reason'] = 'exited';
  #announceEnd: (exit: ContainerExit) => void = () => undefined;
  readonly #seen = new Map<number, string>();

  constructor(spec: ContainerSpec, owner: string, directory: string, records: PodRecords, claims: UidClaims) {
    this.spec = spec;
    this.#records = records;
    this.#claims = claims;
    this.#record = { name: spec.name, owner, directory };
    this.ended = new Promise((resolve) => (this.#announceEnd = resolve));
  }

  async start(ownUser: boolean): Promise<void> {
    const { spec, directory } = { spec: this.spec, directory: this.#record.directory };
    // On disk first: a process nobody wrote down would survive our death.
    await this.#records.writePod(this.#record);
    if (ownUser) {
      const uid = await this.#claims.take(this.#records.pathOf(spec.name));
      this.#record = { ...this.#record, uid };
      await this.#records.writePod(this.#record);
    }
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { mode: 0o700 });
    await chmod(directory, 0o700);
    const { uid } = this.#record;
    if (uid !== undefined) await chown(directory, uid, uid);
    this.#port = await chooseFreePort();
    await this.#launch(uid);
    const identity = this.#child?.pid === undefined ? undefined : identityOf(this.#child.pid);
    if (identity) {
      this.#record = { ...this.#record, process: identity };
      await this.#records.writePod(this.#record);
    }
  }

  async describe(): Promise<Container> {
    const { name, labels } = this.spec;
    if (this.#exit) return { name, labels, state: 'exited', exit: this.#exit };
    this.#serves ||=
      (await accepts(this.#port)) && listenerUid(this.#port) === (this.#record.uid ?? process.getuid?.());
    const endpoint = this.#serves ? { endpoint: { host: '127.0.0.1', port: this.#port } } : {};
    return { name, labels, state: 'running', ...endpoint };
  }

  async stop(graceMs: number): Promise<void> {
    if (!this.#exit) this.#reason = 'stopped';
    if (this.#child && !this.#exit) {
      if (graceMs > 0) {
        // Seen before their parent dies, or they could not be told from strangers any more.
        this.#processes();
        this.#signalGroup('SIGTERM');
        await Promise.race([this.ended, sleep(graceMs, undefined, { ref: false })]);
      }
      if (!this.#exit) {
        await killProcesses(() => this.#processes(), this.spec.name);
        await this.ended;
      }
    }
    await removeLeftover(this.#record, this.#records, this.#claims);
  }

  #launch(uid: number | undefined): Promise<void> {
    const { spec, directory } = { spec: this.spec, directory: this.#record.directory };
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: directory,
      TMPDIR: directory,
      ...spec.env,
      [spec.listen.hostVariable]: '127.0.0.1',
      [spec.listen.portVariable]: String(this.#port),
      [spec.secret.sourceVariable]: 'fd:3',
      BRAVO_CONTAINER: spec.name,
    };
    const confine = [PRLIMIT, `--nproc=${MAX_PROCESSES}`, '--core=0', SETPRIV, '--no-new-privs', '--pdeathsig', 'KILL'];
    const [program, ...args] = (uid === undefined ? spec.command : [...confine, ...spec.command]) as [string];
    const child = spawn(program, args, {
      cwd: directory,
      env,
      // A group of its own, so that a signal reaches the tree and never us.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    this.#child = child;
    const secret = child.stdio[3] as NodeJS.WritableStream;
    secret.on('error', () => undefined);
    secret.end(spec.secret.value);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => (this.#tail = (this.#tail + text).slice(-TAIL_BYTES)));
    }
    child.once('exit', (code, signal) => void this.#end(code, signal));
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#child = undefined;
        reject(new Fault('pod_unavailable', `The program of a pod could not be started: ${error.message}`));
      });
    });
  }

  /** The first process ended: the rest of the container ends with it before anyone is told. */
  async #end(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    await killProcesses(() => this.#processes(), this.spec.name).catch(() => undefined);
    this.#exit = { reason: this.#reason, code, signal, tail: this.#tail };
    this.#announceEnd(this.#exit);
  }

  /** `table`: the processes of the machine by user, looked at once for all containers. */
  async checkMemory(table: ReadonlyMap<number, readonly number[]>): Promise<void> {
    if (this.#exit || !this.#child) return;
    const { uid } = this.#record;
    const processes = uid === undefined ? this.#processes() : (table.get(uid) ?? []);
    if (residentBytes(processes) <= this.spec.memoryLimitBytes) return;
    if (this.#reason === 'exited') this.#reason = 'memory';
    await killProcesses(() => this.#processes(), this.spec.name);
  }

  #processes(): readonly number[] {
    return processesOf(this.spec.name, this.#record.uid, this.#exit ? undefined : this.#child?.pid, this.#seen);
  }

  #signalGroup(name: NodeJS.Signals): void {
    try {
      if (this.#child?.pid) process.kill(-this.#child.pid, name);
    } catch {
      // The group ended by itself in the meantime.
    }
  }
}
