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
  /**
   * Brings what a delegate said at its end before its parent, once. `reported` false: it waits for a person, or for a turn that
   * was asked for, `openWork` being the work that may not have been taken yet.
   */
  report(
    owner: Owner,
    report: {
      readonly conversationId: string;
      readonly name: string;
      readonly outcome: string;
      readonly report: string;
      readonly takenWork: readonly string[];
    },
  ): Promise<{ readonly reported: boolean; readonly openWork: readonly string[]; readonly told: boolean }>;
  /** Idempotent. */
  erase(owner: Owner, conversationId: string): Promise<void>;
}
