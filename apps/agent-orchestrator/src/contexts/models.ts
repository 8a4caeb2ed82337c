/** What the orchestrator needs of the model gateway: always for the person the conversation belongs to. */
import type { Owner } from '../conversations/conversation.ts';

export interface Window {
  /** For people. */
  readonly label: string;
  readonly model: string;
  /** Tokens a prompt may have. */
  readonly budgetTokens: number;
  /** False for a planner that is no language model. */
  readonly summarises: boolean;
}

export interface WrittenSummary {
  /** Empty: none would be smaller. */
  readonly text: string;
  /** About. */
  readonly tokens: number;
  /** Of the oldest messages, those it does not tell of. */
  readonly leftOut: number;
  readonly model: string;
}

export interface HeadOfRequests {
  readonly version: number;
  readonly digest: string;
  readonly text: string;
}

export interface Models {
  window(owner: Owner, conversationId: string): Promise<Window>;
  summarise(
    owner: Owner,
    conversationId: string,
    stretch: {
      readonly earlier: string;
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    },
    signal: AbortSignal,
  ): Promise<WrittenSummary>;
  putInstructions(owner: Owner, conversationId: string, head: HeadOfRequests): Promise<void>;
  /** Idempotent. */
  forget(owner: Owner, conversationId: string): Promise<void>;
}
