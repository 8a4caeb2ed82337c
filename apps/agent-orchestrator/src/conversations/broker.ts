/** What the orchestrator needs of the tool-broker: always for the person the conversation belongs to. */
import type { Mode, Owner } from './conversation.ts';

export interface Broker {
  /** Freezes the policy the conversation starts with. @returns its version. */
  snapshot(
    owner: Owner & { readonly permissions: readonly string[]; readonly role: string },
    conversation: {
      readonly id: string;
      readonly mode: Mode;
      readonly projectId: string;
      readonly attended: boolean;
    },
  ): Promise<string>;
  setMode(
    owner: Owner & { readonly permissions: readonly string[]; readonly role: string },
    conversationId: string,
    mode: Mode,
  ): Promise<void>;
  /** What waits for the person's answer can no longer be answered. Idempotent. */
  withdraw(
    owner: Owner & { readonly permissions: readonly string[]; readonly role: string },
    conversationId: string,
  ): Promise<void>;
  /** Idempotent. */
  erase(owner: Owner, conversationId: string): Promise<void>;
}
