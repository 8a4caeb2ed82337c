/** One program over a conversation's files whose standard streams stay open, as the broker has it from the sandbox. */
import type { OnBehalfOf } from '../sandbox/sandbox.ts';

export interface SessionEnd {
  /** As of an execution; `refused` where it never began. */
  readonly outcome: string;
  readonly exitCode: number;
  /** not_found or not_a_program where there is none of that name. */
  readonly failure: string;
  /** Of a refusal: what stood in the way, in words that may be told. */
  readonly sentence: string;
}

export interface Session {
  /** Ends with the program. */
  readonly output: AsyncIterable<Uint8Array>;
  send(bytes: Uint8Array): void;
  /** Never rejects. */
  readonly ended: Promise<SessionEnd>;
  /** The program's input ends; one that does not go by itself is ended. */
  close(): void;
}

export type OpenSession = (who: OnBehalfOf, program: { readonly argv: readonly string[] }) => Session;
