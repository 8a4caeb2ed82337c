/** One request to run a program and what is told about it; plain values, no protobuf and no database in them. */
import {
  emptyResult,
  type Limits,
  type Outcome,
  type OutputStream,
  type Program,
  type ProgramResult,
} from './sandbox-backend.port.ts';

/** The caller chooses the id; it is unique within the caller's workspace. */
export interface ExecutionKey {
  readonly workspaceId: string;
  readonly executionId: string;
}

export interface ExecutionRequest extends ExecutionKey {
  readonly conversationId: string;
  readonly program: Program;
  /** Sentences about limits that were clamped. */
  readonly notices: readonly string[];
}

/** As `ProgramResult`; `outcome_unknown` when the end of a begun program was not seen. */
export interface ExecutionResult extends Omit<ProgramResult, 'outcome'> {
  readonly outcome: Outcome | 'outcome_unknown';
}

export type ExecutionEvent =
  | {
      readonly kind: 'started';
      readonly limits: Limits;
      readonly notices: readonly string[];
      readonly replayed: boolean;
    }
  | { readonly kind: OutputStream; readonly chunk: Uint8Array }
  | { readonly kind: 'finished'; readonly result: ExecutionResult };

export const UNKNOWN_RESULT: ExecutionResult = emptyResult('outcome_unknown');
