/** Delegates as the tools and the edges see them. */
import type { OnBehalfOf } from '../sandbox/sandbox.ts';

export interface DelegatesAsked {
  readonly who: OnBehalfOf;
  readonly toolCallId: string;
  readonly kind: string;
  readonly tasks: readonly string[];
}

export interface DelegatesOpened {
  /** In the order of the tasks; the rest was not started. */
  readonly names: readonly string[];
  /** Why some were not; empty where all were. */
  readonly refusedBecause: string;
  /** Tools each of them holds. */
  readonly tools: readonly string[];
}

/** Once per tool call, however often it is asked. @throws Fault with a public code where none may be started. */
export type OpenDelegates = (asked: DelegatesAsked) => Promise<DelegatesOpened>;

/** Names the orchestrator opens conversations by. */
export interface DelegateHost {
  open(
    who: OnBehalfOf,
    asked: {
      readonly toolCallId: string;
      readonly kind: string;
      readonly instructions: string;
      readonly delegates: readonly { readonly conversationId: string; readonly task: string }[];
    },
  ): Promise<{ readonly names: readonly string[]; readonly refusedBecause: string }>;
}

export interface PreparedDelegates {
  readonly ids: readonly string[];
  readonly tools: readonly string[];
}

export interface DelegateStore {
  /**
   * Conversations for the delegates of one call, with what their parent has at this moment: policy, settings, mode, context and
   * map of trust. Asked again for the same call they are the same.
   * @throws Fault conversation_ended; invalid_argument where its parent could give it no tool.
   */
  prepare(asked: {
    readonly parentId: string;
    readonly toolCallId: string;
    readonly kind: string;
    readonly tasks: readonly string[];
    readonly newId: () => string;
    narrow(parent: { readonly held: readonly string[] | undefined; readonly depth: number }): readonly string[];
  }): Promise<PreparedDelegates>;
  /** Those with a name are at work; the others never were. */
  settleNames(toolCallId: string, names: readonly string[]): Promise<void>;
}
