/** One container: started with nothing of ours but its secret, and gone as a whole, processes, files and user, when it ends. */
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@bravo/faults';
import type { Container, ContainerExit, ContainerSpec } from '../container-runtime.port.ts';
import { type Containment, removeTraces } from './contained/containment.ts';
import { killProcesses, signalAll } from './kill-processes.ts';
import { launchProcess } from './launch-process.ts';
import type { Launched } from './launched.ts';
import type { PodRecord, PodRecords } from './pod-records.ts';
import { identityOf, pidsOfTree, pidsOfUid, residentBytes } from './process-table.ts';
import type { UidClaims } from './uid-claims.ts';

const TAIL_BYTES = 8_192;

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
  // Of a contained pod that is the runtime, outside of the pod's user; everything of its namespace ends with it.
  if (record.traces && same && leader) signalAll([leader.pid], 'SIGKILL');
  await killProcesses(() => processesOf(record.name, record.uid, same ? leader?.pid : undefined, seen), record.name);
  if (record.traces) await removeTraces(record.traces);
  await rm(record.directory, { recursive: true, force: true });
  if (record.uid !== undefined) await claims.release(record.uid);
  await records.removePod(record.name);
};

/** `contained`: in namespaces of its own. `user`: as a process with a user of its own. `shared`: as a process of our user. */
export type Isolation = { readonly kind: 'contained'; readonly by: Containment } | { readonly kind: 'user' | 'shared' };

export interface LocalContainerParts {
  readonly owner: string;
  readonly directory: string;
  readonly records: PodRecords;
  readonly claims: UidClaims;
  readonly isolation: Isolation;
}

export class LocalContainer {
  readonly spec: ContainerSpec;
  readonly ended: Promise<ContainerExit>;
  readonly #parts: LocalContainerParts;
  #record: PodRecord;
  #launched: Launched | undefined;
  /** It was seen to answer at its port: asked once. */
  #serves = false;
  #tail = '';
  #exit: ContainerExit | undefined;
  #reason: ContainerExit['reason'] = 'exited';
  #announceEnd: (exit: ContainerExit) => void = () => undefined;
  readonly #seen = new Map<number, string>();

  constructor(spec: ContainerSpec, parts: LocalContainerParts) {
    this.spec = spec;
    this.#parts = parts;
    this.#record = { name: spec.name, owner: parts.owner, directory: parts.directory };
    this.ended = new Promise((resolve) => (this.#announceEnd = resolve));
  }

  async start(): Promise<void> {
    const { records, claims, isolation, directory } = this.#parts;
    // On disk first: a process nobody wrote down would survive our death.
    await records.writePod(this.#record);
    if (isolation.kind !== 'shared') {
      const uid = await claims.take(records.pathOf(this.spec.name));
      const traces = isolation.kind === 'contained' ? { traces: isolation.by.traces(this.spec.name) } : {};
      this.#record = { ...this.#record, uid, ...traces };
      await records.writePod(this.#record);
    }
    const { uid } = this.#record;
    if (isolation.kind === 'contained' && uid !== undefined) {
      this.#launched = await isolation.by.start(this.spec, uid);
    } else {
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { mode: 0o700 });
      await chmod(directory, 0o700);
      if (uid !== undefined) await chown(directory, uid, uid);
      this.#launched = await launchProcess(this.spec, directory, uid);
    }
    await this.#attend(this.#launched);
    const { pid } = this.#launched.child;
    const identity = pid === undefined ? undefined : identityOf(pid);
    if (identity) {
      this.#record = { ...this.#record, process: identity };
      await records.writePod(this.#record);
    }
  }

  async describe(): Promise<Container> {
    const { name, labels } = this.spec;
    if (this.#exit) return { name, labels, state: 'exited', exit: this.#exit };
    const launched = this.#launched;
    this.#serves ||= (await launched?.serves()) ?? false;
    const endpoint = this.#serves && launched ? { endpoint: { host: '127.0.0.1', port: launched.port } } : {};
    return { name, labels, state: 'running', ...endpoint };
  }

  async stop(graceMs: number): Promise<void> {
    if (!this.#exit) this.#reason = 'stopped';
    if (this.#launched && !this.#exit) {
      if (graceMs > 0) {
        // Seen before their parent dies, or they could not be told from strangers any more.
        this.#processes();
        this.#launched.terminate();
        await Promise.race([this.ended, sleep(graceMs, undefined, { ref: false })]);
      }
      if (!this.#exit) {
        await this.#kill();
        await this.ended;
      }
    }
    await this.#launched?.close();
    await removeLeftover(this.#record, this.#parts.records, this.#parts.claims);
  }

  /** Hands the secret over, listens to what it says, and waits until it has started. */
  #attend({ child }: Launched): Promise<void> {
    const secret = child.stdio[3] as NodeJS.WritableStream;
    secret.on('error', () => undefined);
    secret.end(this.spec.secret.value);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => (this.#tail = (this.#tail + text).slice(-TAIL_BYTES)));
    }
    child.once('exit', (code, signal) => void this.#end(code, signal));
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        void this.#launched?.close();
        this.#launched = undefined;
        reject(new Fault('pod_unavailable', `The program of a pod could not be started: ${error.message}`));
      });
    });
  }

  /** The first process ended: the rest of the container ends with it before anyone is told. */
  async #end(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    await killProcesses(() => this.#processes(), this.spec.name).catch(() => undefined);
    if (this.#reason === 'exited' && (await this.#launched?.ranOutOfMemory())) this.#reason = 'memory';
    this.#exit = { reason: this.#reason, code, signal, tail: this.#tail };
    this.#announceEnd(this.#exit);
  }

  /** `table`: the processes of the machine by user, looked at once for all containers. */
  async checkMemory(table: ReadonlyMap<number, readonly number[]>): Promise<void> {
    // Of a contained one the kernel counts.
    if (this.#exit || !this.#launched || this.#parts.isolation.kind === 'contained') return;
    const { uid } = this.#record;
    const processes = uid === undefined ? this.#processes() : (table.get(uid) ?? []);
    if (residentBytes(processes) <= this.spec.memoryLimitBytes) return;
    if (this.#reason === 'exited') this.#reason = 'memory';
    await this.#kill();
  }

  async #kill(): Promise<void> {
    // The runtime of a contained one is not of the pod's user, and could be about to start it.
    if (this.#parts.isolation.kind === 'contained') this.#launched?.child.kill('SIGKILL');
    await killProcesses(() => this.#processes(), this.spec.name);
  }

  #processes(): readonly number[] {
    const leader = this.#exit ? undefined : this.#launched?.child.pid;
    return processesOf(this.spec.name, this.#record.uid, leader, this.#seen);
  }
}
