/** One call of one tool, from the agent's request to what it is answered; it holds no protocol and no storage. */
import type { Label } from '@bravo/policy';
import type { BoundAgent } from '../access/agent.ts';
import type { ToolArguments } from '../manifests/tool-definition.ts';
import type { SlotRef } from '../slots/slot.ts';

export interface ToolCallRequest {
  readonly agent: BoundAgent;
  /** The agent as identity has it at that moment. @throws Fault once its token is revoked. */
  currentAgent(): Promise<BoundAgent>;
  readonly tool: string;
  readonly arguments: ToolArguments;
  /** How long the call may take in all before it is told to come back. */
  readonly holdMs: number;
  /** False: it comes back at once when a person has to be asked. */
  readonly waitsForPerson: boolean;
  /** Aborted when the caller went away. */
  readonly signal: AbortSignal;
  /** Called when the call is decided and recorded: from here on it waits for a person or runs. */
  readonly onJudged?: () => void;
}

export type ToolAnswer =
  | {
      readonly kind: 'result';
      readonly text: string;
      readonly isError: boolean;
      /** Numbers of the slots the text names. */
      readonly references: readonly number[];
    }
  /** Not an error: the same call, made again, picks the answer up. */
  | { readonly kind: 'waiting'; readonly text: string; readonly approvalId: string; readonly toolCallId: string };

export const TOOL_CALL_STATUSES = [
  'running',
  'needs_approval',
  'completed',
  'failed',
  'denied',
  'refused',
  'expired',
  'outcome_unknown',
] as const;
export type ToolCallStatus = (typeof TOOL_CALL_STATUSES)[number];

/** A reason with a code of the policy's or the broker's closed list. */
export interface StatedReason {
  readonly code: string;
  readonly text: string;
}

export interface ToolCallView {
  readonly id: string;
  readonly conversationId: string;
  readonly tool: string;
  readonly inputJson: string;
  readonly why: string;
  readonly status: ToolCallStatus;
  readonly output: string;
  readonly isError: boolean;
  readonly refs: readonly SlotRef[];
  readonly label: Label;
  readonly durationMs: number;
  readonly createdAt: Date;
  readonly reasons: readonly StatedReason[];
  /** Of a command line: the compiled plan; '' otherwise. */
  readonly planJson: string;
  /** Of a command line that ended: how each step did; '' otherwise. */
  readonly stepsJson: string;
  /** Set where only the mode stood in the way and nobody has granted it yet. */
  readonly stepUp?: {
    readonly requiredMode: string;
    readonly grantScope?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** Some clients cut an error at 500 characters, so ours are shorter. */
export const MAX_REFUSAL_CHARS = 480;

export const refusal = (text: string): ToolAnswer => ({
  kind: 'result',
  isError: true,
  references: [],
  text: text.length <= MAX_REFUSAL_CHARS ? text : `${text.slice(0, MAX_REFUSAL_CHARS - 1)}…`,
});

/** The arguments without `why`, which decides nothing and is kept beside them. */
export const splitWhy = (given: ToolArguments): { input: ToolArguments; why: string } => {
  const { why, ...input } = given;
  return { input, why: typeof why === 'string' ? why.replaceAll('\u0000', '\u2400').slice(0, 500) : '' };
};
