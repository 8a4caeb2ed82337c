/** A person's standing answer for one tool within one scope of one conversation (D4). It always ends, and no agent can give one. */
import { type JsonObject, type Grant as LiveGrant, LIMITS } from '@bravo/policy';

export const GRANT_SOURCES = ['person', 'approval', 'step_up'] as const;
/** Given unasked, with the yes to a question, or in answer to a step-up. */
export type GrantSource = (typeof GRANT_SOURCES)[number];

export interface Grant extends LiveGrant {
  readonly conversationId: string;
  readonly source: GrantSource;
  /** The call whose answer gave it; empty where a person gave it unasked. */
  readonly toolCallId: string;
  readonly createdAt: Date;
}

export interface NewGrant {
  readonly id: string;
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly tool: string;
  readonly scope: JsonObject;
  readonly source: GrantSource;
  readonly toolCallId: string;
  readonly ttlSeconds: number;
}

export interface GrantOwner {
  readonly userId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
}

/** Live grants of one conversation, for the decision. Rejects where they cannot be read: nothing here answers "none" for that. */
export interface LiveGrants {
  live(conversationId: string, now: number): Promise<readonly Grant[]>;
}

export interface GrantStore extends LiveGrants {
  /** @throws Fault conversation_ended, resource_exhausted where as many as there may be are live. */
  create(grant: NewGrant): Promise<Grant>;
  /** Ends it; one that has ended already stays ended. False where the person has no such grant. */
  revoke(owner: GrantOwner, grantId: string, reason: string): Promise<boolean>;
}

export const GRANT_LIFE = LIMITS['grant-ttl'];
export const MOST_LIVE = LIMITS['grants-live'].value;
/** Longest scope, in UTF-8 of its JSON. */
export const MAX_SCOPE_BYTES = 64 * 1024;
