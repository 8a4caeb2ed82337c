/**
 * Containers as child processes: each with a user, a directory and a port of its own, an environment that holds
 * nothing of ours, and no way to outlive `stop` or the death of this process. It is no sandbox against the kernel.
 */
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Fault } from '@bravo/faults';
import type {
  Container,
  ContainerExit,
  ContainerRuntime,
  ContainerSpec,
  SweepReport,
} from '../container-runtime.port.ts';
import { LocalContainer, removeLeftover } from './local-container.ts';
import { PodRecords } from './pod-records.ts';
import { assertOwnUsers, assertReachable } from './preconditions.ts';
import { identityOf, processesByUid } from './process-table.ts';
import { UidClaims, type UidRange } from './uid-claims.ts';

export interface LocalRuntimeOptions {
  /** Unique per process start; what is found under another owner's name is swept once that owner is dead. */
  readonly owner: string;
  /** Everything the adapter keeps is below it. */
  readonly directory: string;
  readonly uids: UidRange;
  /** Where the users in use on this machine are noted, shared by all checkouts. */
  readonly claimsDirectory?: string;
  /** Runs containers under this process's own user where no other can be had (D31). */
  readonly insecure?: boolean;
  readonly onNotice?: (notice: string, about: Readonly<Record<string, unknown>>) => void;
}

const MEMORY_CHECK_MS = 1_000;
const NAME = /^[a-z][a-z0-9_-]{0,62}$/;

export const openLocalContainerRuntime = async (options: LocalRuntimeOptions): Promise<ContainerRuntime> => {
  const records = new PodRecords(options.directory);
  await records.open();
  const self = identityOf(process.pid);
  if (!self) throw new Fault('pod_unavailable', 'Local pods need /proc, which this machine does not show.');
  await records.writeOwner({ owner: options.owner, process: self });
  return new LocalContainerRuntime(options, records);
};

class LocalContainerRuntime implements ContainerRuntime {
  readonly owner: string;
  readonly #options: LocalRuntimeOptions;
  readonly #records: PodRecords;
  readonly #claims: UidClaims;
  readonly #containers = new Map<string, LocalContainer>();
  readonly #memoryTimer: NodeJS.Timeout;
  #closed = false;

  constructor(options: LocalRuntimeOptions, records: PodRecords) {
    this.owner = options.owner;
    this.#options = options;
    this.#records = records;
    this.#claims = new UidClaims(options.claimsDirectory ?? '/run/bravo-pod-users', options.uids);
    this.#memoryTimer = setInterval(() => this.#checkMemory(), MEMORY_CHECK_MS);
    this.#memoryTimer.unref();
  }

  async spawn(spec: ContainerSpec): Promise<Container> {
    if (this.#closed) throw new Fault('pod_unavailable', 'This process is stopping and starts no more pods.');
    if (!NAME.test(spec.name)) throw new Fault('invalid_argument', `"${spec.name}" cannot name a container.`);
    const program = spec.command[0];
    if (!program || !isAbsolute(program)) {
      throw new Fault('invalid_argument', 'A local container needs the absolute path of its program.');
    }
    const ownUser = await assertOwnUsers(this.#options.insecure ?? false);
    const parent = join(this.#options.directory, 'work');
    await mkdir(parent, { recursive: true, mode: 0o711 });
    if (ownUser) {
      await assertReachable(join(parent, spec.name), 'The directory of pods');
      await assertReachable(program, 'The program of pods');
    }
    if (this.#containers.has(spec.name)) {
      throw new Fault('conflict', `A container named ${spec.name} exists already.`);
    }
    const container = new LocalContainer(spec, this.owner, join(parent, spec.name), this.#records, this.#claims);
    this.#containers.set(spec.name, container);
    try {
      await container.start(ownUser);
    } catch (error) {
      await container.stop(0).catch(() => undefined);
      this.#containers.delete(spec.name);
      throw error;
    }
    return container.describe();
  }

  async stop(name: string, { graceMs = 2_000 } = {}): Promise<void> {
    const container = this.#containers.get(name);
    if (!container) return;
    await container.stop(graceMs);
    this.#containers.delete(name);
  }

  async inspect(name: string): Promise<Container | undefined> {
    return this.#containers.get(name)?.describe();
  }

  async list(labels: Readonly<Record<string, string>> = {}): Promise<readonly Container[]> {
    const wanted = Object.entries(labels);
    const matching = [...this.#containers.values()].filter(({ spec }) =>
      wanted.every(([key, value]) => spec.labels[key] === value),
    );
    return Promise.all(matching.map((container) => container.describe()));
  }

  async waitExit(name: string): Promise<ContainerExit> {
    const container = this.#containers.get(name);
    if (!container) throw new Fault('not_found', `There is no container named ${name}.`);
    return container.ended;
  }

  async sweep(): Promise<SweepReport> {
    const deadOwners = await this.#records.deadOwners();
    const containers: string[] = [];
    for (const record of await this.#records.pods()) {
      if (!deadOwners.includes(record.owner)) continue;
      await removeLeftover(record, this.#records, this.#claims);
      containers.push(record.name);
    }
    // Last, so that a sweep that is cut off is done again.
    for (const owner of deadOwners) await this.#records.removeOwner(owner);
    if (containers.length > 0) this.#options.onNotice?.('ended pods a dead process had left', { containers });
    return { deadOwners, containers };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#memoryTimer);
    await Promise.all([...this.#containers.keys()].map((name) => this.stop(name, { graceMs: 500 })));
    await this.#records.removeOwner(this.owner);
  }

  #checkMemory(): void {
    if (this.#containers.size === 0) return;
    const table = processesByUid();
    for (const container of this.#containers.values()) {
      container.checkMemory(table).catch((err: unknown) => {
        this.#options.onNotice?.('a container over its memory could not be ended', {
          container: container.spec.name,
          err,
        });
      });
    }
  }
}
