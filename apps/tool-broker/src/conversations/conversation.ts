/** What the broker keeps of a conversation: the policy it started with and what its planner has been shown since. */
import type { ConfigSnapshot, ContextState, Mode, TrustMap } from '@bravo/policy';
import type { RepositorySettings } from '../repositories/repository-settings.ts';
import type { StoredLayer } from '../rules/stored-layers.ts';

export interface Conversation {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly mode: Mode | 'unknown';
  readonly config: ConfigSnapshot | 'unknown';
  readonly settings: readonly StoredLayer[] | 'unknown';
  /** The settings file among its files as first seen; undefined: none was seen yet. */
  readonly repository: RepositorySettings | 'unknown' | undefined;
  readonly context: ContextState;
  /** Whether somebody looks on: where nobody does, allow rules decide nothing. */
  readonly attended: boolean;
  readonly ended: boolean;
  /** What it is as a delegate; absent for a person's own. */
  readonly delegate?: DelegatePlace;
}

export interface DelegatePlace {
  readonly parentId: string;
  /** The person's conversation at the top: its files and its own settings are the delegate's. */
  readonly rootId: string;
  readonly depth: number;
  readonly name: string;
  readonly kind: string;
  readonly task: string;
  /** All it holds. `unknown`: it cannot be read, so nothing. */
  readonly tools: readonly string[] | 'unknown';
}

/** Whether it holds the tool at all; what is then made of a call is decided call by call. */
export const holdsTool = ({ delegate }: Pick<Conversation, 'delegate'>, tool: string): boolean =>
  delegate === undefined || (delegate.tools !== 'unknown' && delegate.tools.includes(tool));

export interface NewConversation {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly mode: Mode;
  readonly config: ConfigSnapshot;
  readonly settings: readonly StoredLayer[];
  readonly attended: boolean;
}

export interface ConversationStore {
  find(id: string): Promise<Conversation | undefined>;
  /** @returns the policy version in force: the first snapshot stays, whatever is given later. */
  snapshot(
    conversation: NewConversation,
  ): Promise<{ policyVersion: string; owner: { workspaceId: string; userId: string } }>;
  /** False when there is no such live conversation of that person. */
  setMode(id: string, workspaceId: string, userId: string, mode: Mode): Promise<boolean>;
  /**
   * Slots, trust marks and every argument and output go, open questions are superseded, and no call of it is taken any more.
   * Statuses, reasons, labels, times and digests stay. Idempotent.
   */
  erase(id: string, workspaceId: string): Promise<void>;
  trustMap(id: string, since?: Date): Promise<TrustMap>;
  /** Keeps it unless one is kept already. @returns the kept one. @throws Fault conversation_ended */
  keepRepository(id: string, seen: RepositorySettings): Promise<RepositorySettings>;
  /** Adds rules to the accepted ones of what is kept, with the event. @returns what holds then. @throws Fault not_found */
  acceptRules(
    owner: { id: string; workspaceId: string; userId: string },
    rules: readonly string[],
  ): Promise<RepositorySettings>;
}

/** A person sees their own conversation and nobody else's; the answer to anything else is the same as for one that never was. */
export const isOwnedBy = (
  conversation: Pick<Conversation, 'workspaceId' | 'userId'>,
  person: { workspaceId: string; userId: string },
): boolean =>
  person.workspaceId !== '' &&
  person.userId !== '' &&
  conversation.workspaceId === person.workspaceId &&
  conversation.userId === person.userId;
