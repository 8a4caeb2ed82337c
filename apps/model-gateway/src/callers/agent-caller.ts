/** Who asks for an answer: the agent of one conversation, as identity has it now. A token bound to nobody is no caller. */
import type { UsageOwner } from '../quotas/limits.ts';

export interface AgentCaller extends UsageOwner {
  /** Empty for an attached agent and for a service. */
  readonly podId: string;
}

/**
 * Resolves the agent token of an `Authorization` header.
 *
 * @throws Fault unauthenticated for a missing, unknown, expired or revoked token; token_unbound for a warm pod's.
 */
export type AuthenticateAgent = (authorization: string | undefined) => Promise<AgentCaller>;
