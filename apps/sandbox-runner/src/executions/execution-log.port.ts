/** The memory that an execution was begun: written before anything starts, so that no id ever runs twice. */
import type { ExecutionKey, ExecutionResult } from './execution.ts';

export interface BegunExecution extends ExecutionKey {
  readonly conversationId: string;
  readonly requestDigest: string;
  readonly mayRunUntil: Date;
}

export interface RecordedOutput {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

export type KnownExecution =
  | { readonly status: 'started'; readonly requestDigest: string; readonly mine: boolean; readonly mayRunUntil: Date }
  | {
      readonly status: 'finished';
      readonly requestDigest: string;
      readonly result: ExecutionResult;
      readonly output: RecordedOutput;
    }
  /** It ran, and what came of it is no longer kept. */
  | { readonly status: 'erased'; readonly requestDigest: string };

export interface ExecutionLog {
  /** Undefined when the row was written by this very call; else what is known already. */
  begin(execution: BegunExecution): Promise<KnownExecution | undefined>;
  /** What is known of an id that was begun for that conversation. */
  find(key: ExecutionKey, conversationId: string): Promise<KnownExecution | undefined>;
  /** Only a started row is finished; false when it was not one. */
  finish(key: ExecutionKey, result: ExecutionResult, output: RecordedOutput): Promise<boolean>;
  /** Takes back a row whose program never started. */
  withdraw(key: ExecutionKey): Promise<void>;
  /** Ends as unknown what earlier processes of this instance had begun. Called once, before the first execution. */
  settleAbandoned(): Promise<number>;
  /** Drops outputs and files; that it ran is kept. */
  eraseConversation(workspaceId: string, conversationId: string): Promise<void>;
  eraseFinishedBefore(moment: Date): Promise<void>;
}
