/** What any place that runs a program promises: isolation as described or a fault, one end, and nothing left behind. */

export const LANGUAGES = ['python', 'node', 'bash'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Limits {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** Processor cores, fractions allowed. */
  readonly cpu: number;
}

export interface InputFile {
  /** Workspace-relative, normalised, checked. */
  readonly path: string;
  readonly content: Uint8Array;
  /** Permission bits. */
  readonly mode: number;
}

/** A program that was checked: a backend may rely on every field being well formed. */
export interface Program {
  readonly language: Language;
  readonly code: string;
  readonly files: readonly InputFile[];
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Limits;
}

export type OutputStream = 'stdout' | 'stderr';

/** `ok`: the program ran to its own end, whatever its exit code. The others: the sandbox ended it. */
export type Outcome = 'ok' | 'timed_out' | 'cancelled' | 'oom_killed' | 'output_limit';

export interface OutputFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

export const SKIP_REASONS = [
  'symlink',
  'fifo',
  'socket',
  'device',
  'directory_too_deep',
  'too_large',
  'too_many',
  'bad_name',
  'unreadable',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface SkippedFile {
  /** Printable: control characters and bytes that are no UTF-8 are shown as escapes. */
  readonly path: string;
  readonly reason: SkipReason;
}

export interface ProgramResult {
  readonly outcome: Outcome;
  /** 128 + signal number when a signal ended it, as a shell reports it. */
  readonly exitCode: number;
  /** Name of the signal that ended the program by the shell's convention, '' when it exited by itself. */
  readonly signal: string;
  readonly oomKilled: boolean;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** New and changed regular files of /workspace, by path. */
  readonly files: readonly OutputFile[];
  readonly skipped: readonly SkippedFile[];
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
}

/** The result of a program that left nothing behind. */
export const emptyResult = <O extends string>(
  outcome: O,
): Omit<ProgramResult, 'outcome'> & { readonly outcome: O } => ({
  outcome,
  exitCode: 0,
  signal: '',
  oomKilled: false,
  timedOut: false,
  durationMs: 0,
  files: [],
  skipped: [],
  stdoutTruncated: false,
  stderrTruncated: false,
});

export interface RunWatch {
  /** Called once when the program is about to run; before it nothing has happened that could matter to anyone. */
  onStarted(): void;
  /** Called with at most `OUTPUT_LIMIT_BYTES` per stream over the whole run. */
  onOutput(stream: OutputStream, chunk: Uint8Array): void;
  /** Aborting ends the whole process tree; the run then ends as `cancelled`. */
  readonly signal: AbortSignal;
}

export interface SandboxDescription {
  readonly available: boolean;
  /** What stands in the way and what to do about it; '' when available. */
  readonly reason: string;
  readonly backend: string;
  readonly languages: readonly Language[];
}

export interface SandboxBackend {
  /** Cheap after the first call. Never throws: what is wrong is the reason. */
  describe(): Promise<SandboxDescription>;
  /**
   * Runs one program and resolves when no process of it lives any more and what it left was looked through; its place is
   * removed right after, and nobody gets it again. How many run at once is the caller's to bound.
   * Throws the fault `sandbox_unavailable` when it cannot be isolated (never runs it then).
   */
  run(program: Program, watch: RunWatch): Promise<ProgramResult>;
  /** Ends what runs and removes everything this backend made on the machine. */
  close(): Promise<void>;
}

export const OUTPUT_LIMIT_BYTES = 1024 * 1024;

/** What may come out of one run. Beyond it files are named with a reason, not carried. */
export const HARVEST_LIMITS = {
  files: 256,
  fileBytes: 4 * 1024 * 1024,
  totalBytes: 8 * 1024 * 1024,
  depth: 16,
  entries: 4096,
  skippedNamed: 256,
} as const;
