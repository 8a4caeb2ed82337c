/**
 * Containers on this machine: each in namespaces of its own with no way out but the addresses it was given, and no way to
 * outlive `stop` or the death of this process. Where that cannot be had it starts none, unless plain processes with a user
 * of their own were expressly accepted.
 */
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Fault } from '@bravo/faults';
import type {
  Container,
  ContainerExit,
  ContainerRuntime,
  ContainerSpec,
  RuntimeDescription,
  SweepReport,
} from '../container-runtime.port.ts';
import { Containment, type ContainmentSettings, removeParents } from './contained/containment.ts';
import { type Isolation, LocalContainer, removeLeftover } from './local-container.ts';
import { PodRecords } from './pod-records.ts';
import { assertReachable, mayHaveOwnUsers } from './preconditions.ts';
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
  /** How pods are contained. */
  readonly containment: ContainmentSettings;
  /** Node program that shows at the first start whether a container really runs here. */
  readonly node: string;
  /** Where pods cannot be contained, runs them as processes with a user of their own, or without root under ours (D31). */
  readonly insecure?: boolean;
  readonly onNotice?: (notice: string, about: Readonly<Record<string, unknown>>) => void;
}

const MEMORY_CHECK_MS = 1_000;
const RETRY_MS = 30_000;
const TRIAL_MEMORY_BYTES = 256 * 1024 * 1024;
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
  #containment: Promise<Containment> | undefined;
  #obstacle: { readonly at: number; readonly reason: string } | undefined;
  #trials = 0;
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
    const isolation = await this.#isolation();
    const parent = join(this.#options.directory, 'work');
    await mkdir(parent, { recursive: true, mode: 0o711 });
    if (isolation.kind === 'user') {
      await assertReachable(join(parent, spec.name), 'The directory of pods');
      await assertReachable(program, 'The program of pods');
    }
    return this.#start(spec, isolation);
  }

  async describe(): Promise<RuntimeDescription> {
    try {
      const { kind } = await this.#isolation();
      return { isolation: kind, reason: kind === 'contained' ? '' : (this.#obstacle?.reason ?? '') };
    } catch (error) {
      return { isolation: 'refused', reason: error instanceof Fault ? error.detail : String(error) };
    }
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
      await removeParents(record.traces?.groups ?? []);
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
    const containment = await this.#containment?.catch(() => undefined);
    await Promise.all([...this.#containers.keys()].map((name) => this.stop(name, { graceMs: 500 })));
    await containment?.close();
    await this.#records.removeOwner(this.owner);
  }

  async #start(spec: ContainerSpec, isolation: Isolation): Promise<Container> {
    if (this.#containers.has(spec.name)) {
      throw new Fault('conflict', `A container named ${spec.name} exists already.`);
    }
    const container = new LocalContainer(spec, {
      owner: this.owner,
      directory: join(this.#options.directory, 'work', spec.name),
      records: this.#records,
      claims: this.#claims,
      isolation,
    });
    this.#containers.set(spec.name, container);
    try {
      await container.start();
    } catch (error) {
      await container.stop(0).catch(() => undefined);
      this.#containers.delete(spec.name);
      throw error;
    }
    return container.describe();
  }

  /** @throws Fault `pod_unavailable` with the remedy where pods cannot be contained and nothing less was accepted. */
  async #isolation(): Promise<Isolation> {
    try {
      return { kind: 'contained', by: await this.#contained() };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (this.#obstacle?.reason !== reason) {
        this.#options.onNotice?.('pods cannot be contained on this machine', { reason });
        this.#obstacle = { at: Date.now(), reason };
      }
      if (this.#options.insecure) return { kind: (await mayHaveOwnUsers()) ? 'user' : 'shared' };
      throw new Fault(
        'pod_unavailable',
        `Agent pods cannot be contained on this machine: ${reason}. Repair that, or accept the risk for trying out with --insecure-pods.`,
      );
    }
  }

  #contained(): Promise<Containment> {
    if (this.#obstacle && Date.now() - this.#obstacle.at < RETRY_MS) {
      return Promise.reject(new Error(this.#obstacle.reason));
    }
    this.#obstacle &&= { ...this.#obstacle, at: Date.now() };
    this.#containment ??= this.#prepareContainment().catch((error: unknown) => {
      this.#containment = undefined;
      throw error;
    });
    return this.#containment;
  }

  /** One real container, so that what a machine only pretends to allow is found before it matters. */
  async #prepareContainment(): Promise<Containment> {
    const containment = await Containment.prepare(this.#options.directory, this.#options.containment);
    const name = `trial-${process.pid}-${(this.#trials += 1)}`;
    const spec: ContainerSpec = {
      name,
      labels: {},
      command: [this.#options.node, '--version'],
      env: {},
      secret: { value: '', sourceVariable: 'UNUSED' },
      listen: { hostVariable: 'UNUSED_HOST', portVariable: 'UNUSED_PORT' },
      reaches: [],
      memoryLimitBytes: TRIAL_MEMORY_BYTES,
    };
    try {
      await this.#start(spec, { kind: 'contained', by: containment });
      const { code, tail } = await this.waitExit(name);
      if (code !== 0)
        throw new Error(`a container does not run here (${tail.trim().split('\n').at(-1) || `exit code ${code}`})`);
    } finally {
      await this.stop(name, { graceMs: 0 });
    }
    return containment;
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
