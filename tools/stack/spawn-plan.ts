/** What is needed to start one process; made by pure code, run by the supervisor or by a test. */
export interface SpawnPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** Absent means 0077: what it writes is for its own user alone (D24). */
  readonly umask?: number;
  /** Signal that asks the process to end in order. */
  readonly stopSignal: NodeJS.Signals;
}
