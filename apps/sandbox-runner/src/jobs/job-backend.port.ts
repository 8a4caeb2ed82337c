/** What any place that carries out a plan promises: the isolation of a program, over a conversation's own files, with every step's end told. */
import type { Limits, Outcome, RunWatch } from '../executions/sandbox-backend.port.ts';

export const REDIRECTS = ['<', '>', '>>', '2>', '2>>', '&>', '2>&1'] as const;
export const CONNECTORS = ['|', '&&', '||', ';'] as const;

export interface PlanRedirect {
  readonly op: (typeof REDIRECTS)[number];
  /** From the job's directory or absolute; '' for `2>&1` only. */
  readonly path: string;
}

export interface PlanStep {
  /** Final: nothing splits or expands them. */
  readonly argv: readonly string[];
  /** Absolute path inside of what is started. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly redirects: readonly PlanRedirect[];
}

export interface Plan {
  readonly steps: readonly PlanStep[];
  /** `connectors[n]` stands between `steps[n]` and `steps[n + 1]`. */
  readonly connectors: readonly (typeof CONNECTORS)[number][];
}

/** Where the files of a conversation lie, for programs that work on them as what opens them does. */
export interface FilesPlace {
  /** A mount of the files alone; whatever happens beside them, it leads nowhere else. */
  readonly directory: string;
  /** The user of this machine that owns them. */
  readonly uid: number;
}

/** `everyday`: programs a line may name. `language_servers`: the image that has those, over files that cannot be changed from within. */
export const JOB_PLACES = ['everyday', 'language_servers'] as const;
export type JobPlace = (typeof JOB_PLACES)[number];

/** A plan that was checked. */
export interface JobProgram {
  readonly plan: Plan;
  /** Workspace-relative, '' for the root. */
  readonly directory: string;
  /** What the first program reads; `live`: whatever comes while it runs. */
  readonly stdin: Uint8Array | 'live';
  readonly limits: Limits;
  readonly place: JobPlace;
  readonly files: FilesPlace;
  /** Of each stream; beyond it the job is ended as `output_limit`. */
  readonly outputBytes: number;
}

export const STEP_FAILURES = ['not_found', 'not_a_program', 'redirect', 'directory'] as const;

export interface StepEnd {
  /** False for a step that was passed over, or was never reached. */
  readonly ran: boolean;
  readonly exitCode: number;
  readonly signal: string;
  /** Why it could not be started; '' when it was. */
  readonly failure: (typeof STEP_FAILURES)[number] | '';
}

export interface JobEnd {
  readonly outcome: Outcome;
  /** One per step of the plan. */
  readonly steps: readonly StepEnd[];
  readonly durationMs: number;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
}

/** The open standard input of a `live` job. */
export interface JobInput {
  /** Resolves when it was taken; false when nobody takes it any more. */
  write(bytes: Uint8Array): Promise<boolean>;
  end(): void;
}

export interface JobWatch extends RunWatch {
  /** Of a `live` job, before it starts. */
  onInput?(input: JobInput): void;
}

export interface JobBackend {
  /** Names a step may use with the file behind each. Throws `sandbox_unavailable`. */
  programs(): Promise<ReadonlyMap<string, string>>;
  /**
   * Carries the plan out and resolves when no process of it lives any more. `onStarted` is called once its first step is about to
   * be started. Throws `sandbox_unavailable` when it cannot be isolated (nothing of it ran then).
   */
  runJob(job: JobProgram, watch: JobWatch): Promise<JobEnd>;
}
