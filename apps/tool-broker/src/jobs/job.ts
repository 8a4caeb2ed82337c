/** Plans that run and what the broker remembers of them. Guarantees that while one runs no file of its conversation is vouched for, and that its end is settled once. */
import type { JobReading } from '../sandbox/sandbox.ts';

export interface JobOwner {
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly userId: string;
}

export interface KnownJob extends JobOwner {
  /** Of the tool call that started it, and of the execution. */
  readonly id: string;
  /** 0 for a line somebody waits for. */
  readonly number: number;
  readonly ended: boolean;
  /** Whether its end reached the conversation already. */
  readonly told: boolean;
  readonly trustOutput: boolean;
  readonly stdoutSeen: number;
  readonly stderrSeen: number;
}

export interface NewJob extends JobOwner {
  readonly id: string;
  readonly background: boolean;
  readonly trustOutput: boolean;
  readonly planDigest: string;
  readonly planBytes: number;
}

export interface Jobs {
  /**
   * From here on no file of the conversation is vouched for. `isNew`: false when this job was begun before, by a process that died.
   * @throws Fault conversation_ended
   */
  begin(job: NewJob): Promise<{ readonly job: KnownJob; readonly isNew: boolean }>;
  /** It never ran after all. */
  withdraw(id: string): Promise<void>;
  find(conversationId: string, number: number): Promise<KnownJob | undefined>;
  /** How far the planner has been told of its output, and whether of its end. */
  saw(id: string, place: { readonly stdout: number; readonly stderr: number; readonly end: boolean }): Promise<void>;
  /**
   * Settles an end that was read: what it changed is vouched for no longer, and everything else is as before. Once; whoever comes
   * second changes nothing. `tell`: when nobody has looked, the conversation is told of it by a turn of its own.
   */
  settle(job: KnownJob, end: JobReading, tell: boolean): Promise<void>;
  /** Running ones of one conversation, also such as somebody waits for. */
  runningIn(conversationId: string): Promise<readonly KnownJob[]>;
  /** Running ones of every conversation that still stands, oldest first. */
  running(): Promise<readonly KnownJob[]>;
}

/** As the planner names it. */
export const jobName = ({ number }: Pick<KnownJob, 'number'>): string => `job:${number}`;

export const parseJobName = (name: string): number | undefined => {
  const digits = /^job:([1-9][0-9]{0,8})$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
};
