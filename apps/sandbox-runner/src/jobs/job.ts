/** One request to carry out a plan and what is told about it; plain values, no protobuf and no database in them. */
import type { ExecutionKey, ExecutionResult } from '../executions/execution.ts';
import type { Limits } from '../executions/sandbox-backend.port.ts';
import type { JobPlace, Plan, StepEnd } from './job-backend.port.ts';

export interface JobRequest extends ExecutionKey {
  readonly conversationId: string;
  readonly plan: Plan;
  readonly directory: string;
  readonly stdin: Uint8Array | 'live';
  readonly limits: Limits;
  readonly place: JobPlace;
  readonly background: boolean;
  /** Sentences about limits that were clamped. */
  readonly notices: readonly string[];
}

/** What is on record of an ended job: a result as of any execution, without files, because they are the conversation's own. */
export interface JobResult extends ExecutionResult {
  readonly steps: readonly StepEnd[];
  readonly changed: readonly string[];
  readonly changesLost: boolean;
  /** Where the kept output begins: earlier bytes are gone. */
  readonly stdoutAt: number;
  readonly stderrAt: number;
}

/** What one look at a job sees. */
export interface JobReading {
  /** Absent while it runs. */
  readonly result: JobResult | undefined;
  readonly stdout: Uint8Array;
  readonly stdoutAt: number;
  readonly stderr: Uint8Array;
  readonly stderrAt: number;
}

/** At one time on one runner, sessions too, and of those of one conversation: each holds a conversation's files open. */
export const BACKGROUND_JOBS = { atOnce: 8, perConversation: 3 } as const;

export const JOB_LIMITS = {
  steps: 64,
  words: 6_500,
  wordsBytes: 256 * 1024,
  stdinBytes: 8 * 1024 * 1024,
  /** Of a plan somebody waits for; it is ended there, as any program is. */
  outputBytes: 1024 * 1024,
  /** A background job may print more than is kept: the last of it is. */
  backgroundOutputBytes: 64 * 1024 * 1024,
  keptBytes: 1024 * 1024,
  waitSeconds: 600,
} as const;

/** D17. */
export const BACKGROUND_SECONDS = 6 * 3_600;
