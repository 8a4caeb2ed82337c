/** Starts pods inside an OCI container of their own each, or says why this machine cannot; what could not be contained in full is not started here. */
import { createHash } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { access, chmod, constants, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { Fault } from '@bravo/faults';
import type { ContainerSpec, Endpoint } from '../../container-runtime.port.ts';
import {
  COMMAND_ENVIRONMENT,
  type CgroupLeaf,
  findCgroups,
  findRuntime,
  type FoundCgroups,
  type GroupLimits,
  type HostBind,
  mountsToHide,
  type OciRuntime,
  removeGroupTree,
  runWords,
  scriptBefore,
} from '../../oci/index.ts';
import { signalAll } from '../kill-processes.ts';
import type { Launched } from '../launched.ts';
import { SETPRIV } from '../preconditions.ts';
import { pidsOfUid } from '../process-table.ts';
import { podBundle } from './pod-bundle.ts';
import { INSIDE_HOME, INSIDE_VOLUME, INSIDE_WAYS, type PodRoot, preparePodRoot } from './pod-root.ts';
import { WAY_IN, wayOutName, Ways } from './ways.ts';

export interface ContainmentSettings {
  /** OCI runtime program: crun or runc, by name or path. */
  readonly ociRuntime: string;
  /** Resolved OCI seccomp profile (JSON). */
  readonly seccompProfile: string;
  /** More of the host that every container sees, read-only. */
  readonly binds?: readonly HostBind[];
}

export interface ContainedOptions {
  /** A directory of the host that is writable inside, at `INSIDE_VOLUME`. With it nothing on the host leads in but `connect`. */
  readonly volume?: string;
}

/** What a pod of this kind has on the machine, known before it is made, so that it can be written down first. */
export interface ContainedTraces {
  readonly directories: readonly string[];
  readonly groups: readonly string[];
}

const UNSHARE = '/usr/bin/unshare';
const POD_PORT = 42_617;
const MOST_PROCESSES = 256;

/**
 * The runtime runs as first process of a namespace that ends with this process: killing only the runtime would leave the
 * container alive, the end of its namespace does not.
 */
const WRAPPER = [
  ...[SETPRIV, '--pdeathsig', 'KILL', UNSHARE, '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['--propagation', 'private', '/bin/sh', '-c'],
];

const messageOf = (error: unknown): string =>
  error instanceof Fault ? error.detail : error instanceof Error ? error.message : String(error);

/** Names of the addresses a pod may reach, to be led to its own loopback. @throws Fault `invalid_argument` for a foreign literal address. */
const namesOf = (reaches: readonly Endpoint[]): string[] =>
  [...new Set(reaches.map(({ host }) => host))].filter((host) => {
    if (host === '127.0.0.1' || host === 'localhost') return false;
    if (isIP(host) === 0) return true;
    throw new Fault(
      'invalid_argument',
      `A contained pod reaches names and 127.0.0.1, not ${host}: give the service a name.`,
    );
  });

/** How containers are run on this machine, found once. */
interface Means {
  readonly runtime: OciRuntime;
  readonly seccomp: object;
  readonly cgroups: FoundCgroups;
  readonly hidden: readonly string[];
  readonly binds: readonly HostBind[];
}

const findMeans = async (settings: ContainmentSettings, subtree: string): Promise<Means> => {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('pods are contained on Linux x86-64 only');
  if (process.getuid?.() !== 0) throw new Error('it needs root for namespaces and limits, and this process has none');
  for (const tool of [SETPRIV, UNSHARE]) {
    await access(tool, constants.X_OK).catch(() => {
      throw new Error(`${tool} is missing; install util-linux`);
    });
  }
  const runtime = await findRuntime(settings.ociRuntime).catch((error: unknown) => {
    throw new Error(
      `the OCI runtime "${settings.ociRuntime}" cannot be started (${messageOf(error)}); install it, for example: apt-get install -y crun`,
    );
  });
  const text = await readFile(settings.seccompProfile, 'utf8').catch((error: unknown) => {
    throw new Error(`the seccomp profile cannot be read (${messageOf(error)})`);
  });
  const cgroups = await findCgroups(subtree, undefined, runtime.kind === 'crun');
  const hidden = await mountsToHide(runtime, cgroups);
  return { runtime, seccomp: JSON.parse(text) as object, cgroups, hidden, binds: settings.binds ?? [] };
};

interface Bundled {
  readonly spec: ContainerSpec;
  readonly root: PodRoot;
  readonly reaches: readonly Endpoint[];
  readonly ways: string;
  readonly uid: number;
  readonly volume: string | undefined;
  readonly group: CgroupLeaf;
  readonly limits: GroupLimits;
}

export class Containment {
  readonly #directory: string;
  readonly #means: Means;
  readonly #roots = new Map<string, Promise<PodRoot>>();

  private constructor(directory: string, means: Means) {
    this.#directory = directory;
    this.#means = means;
  }

  /** @throws Error whose message is why pods cannot be contained here and what to do about it. */
  static async prepare(directory: string, settings: ContainmentSettings, family = 'pods'): Promise<Containment> {
    const subtree = `bravo-${family}-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`;
    const containment = new Containment(directory, await findMeans(settings, subtree));
    for (const name of ['bundles', 'roots']) {
      await mkdir(join(directory, name), { recursive: true });
      await chmod(join(directory, name), 0o711);
    }
    await mkdir(join(directory, 'oci'), { recursive: true, mode: 0o700 });
    return containment;
  }

  traces(name: string): ContainedTraces {
    return {
      directories: [join(this.#directory, 'bundles', name), join(this.#directory, 'oci', name)],
      groups: this.#means.cgroups.tree.directoriesOf(name),
    };
  }

  /** The traces are there from here on, whatever comes of it. */
  async start(spec: ContainerSpec, uid: number, { volume }: ContainedOptions = {}): Promise<Launched> {
    const names = namesOf(spec.reaches);
    const reaches = [...new Map(spec.reaches.map((each) => [each.port, each])).values()];
    const root = await this.#root(spec.command, names);
    const bundle = join(this.#directory, 'bundles', spec.name);
    const waysDirectory = join(bundle, 'ways');
    await rm(bundle, { recursive: true, force: true });
    await mkdir(bundle, { recursive: true });
    await chmod(bundle, 0o711);
    const limits = { memoryBytes: spec.memoryLimitBytes, pids: MOST_PROCESSES, cpu: undefined };
    const group = await this.#means.cgroups.tree.createLeaf(spec.name, limits);
    const ways = new Ways();
    try {
      await ways.open(waysDirectory, reaches, uid, volume === undefined);
      const config = this.#bundle({ spec, root, reaches, ways: waysDirectory, uid, volume, group, limits });
      await writeFile(join(bundle, 'config.json'), JSON.stringify(config), { mode: 0o600 });
      return {
        child: this.#spawn(spec.name, bundle, group),
        port: ways.port,
        serves: () => ways.answers(),
        terminate: () => signalAll(pidsOfUid(uid), 'SIGTERM'),
        ranOutOfMemory: async () => (await group.oomKills()) > 0,
        connect: () => ways.connect(),
        close: () => ways.close(),
      };
    } catch (error) {
      await ways.close();
      throw error;
    }
  }

  /** Ends and removes what a dead process of ours left, where nobody else uses the same directory. */
  async sweep(): Promise<void> {
    await this.#means.cgroups.tree.sweep();
    for (const name of ['bundles', 'oci']) {
      for (const entry of await readdir(join(this.#directory, name)))
        await rm(join(this.#directory, name, entry), { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    await removeParents(this.#means.cgroups.tree.directoriesOf('any'));
  }

  /** Made once per command: its libraries are asked of the loader, which takes longer than the rest of a start. */
  #root(command: readonly string[], names: readonly string[]): Promise<PodRoot> {
    const key = JSON.stringify([command, names]);
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const made = preparePodRoot(join(this.#directory, 'roots'), command, names, this.#means.binds);
    this.#roots.set(key, made);
    made.catch(() => this.#roots.delete(key));
    return made;
  }

  #bundle({ spec, root, reaches, ways, uid, volume, group, limits }: Bundled): object {
    const taken = new Set(reaches.map(({ port }) => port));
    let port = POD_PORT;
    while (taken.has(port)) port += 1;
    const inside = (name: string): string => join(INSIDE_WAYS, name);
    const gate = {
      out: reaches.map((each, index) => ({ port: each.port, socket: inside(wayOutName(index)) })),
      in: { port, socket: inside(WAY_IN) },
    };
    const [node = '', gateProgram = '', ...command] = root.command;
    return podBundle({
      root,
      volume: volume === undefined ? undefined : { source: volume, destination: INSIDE_VOLUME },
      ways,
      uid,
      args: [node, ...root.nodeOptions, gateProgram, JSON.stringify(gate), ...command],
      env: {
        PATH: '/opt/node/bin',
        LANG: 'C.UTF-8',
        HOME: INSIDE_HOME,
        TMPDIR: '/tmp',
        ...spec.env,
        [spec.listen.hostVariable]: '127.0.0.1',
        [spec.listen.portVariable]: String(port),
        [spec.secret.sourceVariable]: 'fd:3',
      },
      seccomp: this.#means.seccomp,
      group,
      limits,
    });
  }

  #spawn(name: string, bundle: string, group: CgroupLeaf): ChildProcess {
    const { runtime, hidden } = this.#means;
    const script = [...scriptBefore(group, hidden), 'exec "$@"'].join('\n');
    const where = { state: join(this.#directory, 'oci'), bundle, name };
    const [command = '', ...args] = [
      ...[...WRAPPER, script, 'sh', ...runWords(runtime, group, where, '--preserve-fds=1')],
    ];
    return spawn(command, args, {
      cwd: '/',
      env: COMMAND_ENVIRONMENT,
      // A group of its own, so that a signal to ours does not reach it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
  }
}

export const removeTraces = async ({ directories, groups }: ContainedTraces): Promise<void> => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
  for (const group of groups) await removeGroupTree(group);
};

/** Takes the empty groups above away; where there are containers of another process it does nothing. */
export const removeParents = async (groups: readonly string[]): Promise<void> => {
  for (const directory of new Set(groups.map((each) => dirname(each)))) await rmdir(directory).catch(() => undefined);
};
