/** Starts, watches and ends the disposable programs agents run in; never shows a caller which vendor does it. */

/** What to run, in words every adapter understands. Nothing of the caller's own environment is ever added. */
export interface ContainerSpec {
  /** Unique among the containers that were not stopped yet: 1 to 63 of `[a-z0-9_-]`, a letter first. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Image for adapters that have images; the local adapter ignores it and runs `command` of this machine. */
  readonly image?: string;
  /** Program and arguments. */
  readonly command: readonly string[];
  /** The whole environment, apart from the few names an adapter documents (PATH, HOME, TMPDIR, LANG). No secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Handed over out of band, in no environment, argument or file another container could read. */
  readonly secret: {
    readonly value: string;
    /** The variable that tells the program where its secret waits: `fd:3` or `file:<path>`. */
    readonly sourceVariable: string;
  };
  /** The variables that tell the program where to listen. The adapter chooses the values. */
  readonly listen: { readonly hostVariable: string; readonly portVariable: string };
  /** The only addresses it may connect to; an adapter that cannot hold it to that says so in `describe`. */
  readonly reaches: readonly Endpoint[];
  /** Above this the whole container is ended with the reason `memory`. */
  readonly memoryLimitBytes: number;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface ContainerExit {
  /** `exited`: it ended by itself or from outside. `stopped`: by `stop`. `memory`: it went over its limit. */
  readonly reason: 'exited' | 'stopped' | 'memory';
  readonly code: number | null;
  readonly signal: string | null;
  /** The last lines it wrote, for the log only: the words of an untrusted program. */
  readonly tail: string;
}

export interface Container {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly state: 'running' | 'exited';
  /**
   * Where it serves. Present only once the socket there is known to belong to this container, so that a neighbour
   * that took the port first is never spoken to.
   */
  readonly endpoint?: Endpoint;
  /** Why it does not start and what to do about it, one sentence; present only while somebody's hand is needed. */
  readonly obstacle?: string;
  readonly exit?: ContainerExit;
}

/** What a start found of processes that are gone. */
export interface SweepReport {
  /** Owner instances that no longer live. Whatever they drove is nobody's now. */
  readonly deadOwners: readonly string[];
  /** Containers of theirs that were ended and removed. */
  readonly containers: readonly string[];
}

/** How containers are kept from everything that is not theirs. */
export interface RuntimeDescription {
  /**
   * `contained`: no network but what it reaches, no files of the host, no other process. `user`: a process with a user of
   * its own on the host's network. `shared`: a process of this one's user. `refused`: none is started.
   */
  readonly isolation: 'contained' | 'user' | 'shared' | 'refused';
  /** Why it is not `contained`, with the remedy; '' when it is. */
  readonly reason: string;
}

export interface ContainerRuntime {
  /** Names this instance in every container it starts. */
  readonly owner: string;
  /**
   * Starts it and returns at once; readiness is the caller's question. Throws the fault `pod_unavailable` with the
   * remedy when nothing was started, and `conflict` when the name is taken.
   */
  spawn(spec: ContainerSpec): Promise<Container>;
  /** Cheap after the first call. Never throws. */
  describe(): Promise<RuntimeDescription>;
  /** After it, no process and no file of the container is left. Idempotent; an unknown name is done already. */
  stop(name: string, options?: { readonly graceMs?: number }): Promise<void>;
  /** `undefined` for a name this instance does not know. A container that ended stays visible until `stop`. */
  inspect(name: string): Promise<Container | undefined>;
  /** Containers of this instance whose labels contain all of `labels`. */
  list(labels?: Readonly<Record<string, string>>): Promise<readonly Container[]>;
  /** Resolves when the container has ended, with every process of it. Rejects with `not_found` for an unknown name. */
  waitExit(name: string): Promise<ContainerExit>;
  /** Ends what owner instances that are dead have left. Containers of living owners are not touched. */
  sweep(): Promise<SweepReport>;
  /** Stops everything of this instance and gives up its name. */
  close(): Promise<void>;
}
