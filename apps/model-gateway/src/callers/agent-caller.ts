/** Who asks for an answer: the agent of one conversation, as identity has it now. A token bound to nobody is no caller. */

export interface AgentCaller {
  readonly userId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  /** Empty for an attached agent. */
  readonly podId: string;
}

/**
 * Resolves the agent token of an `Authorization` header.
 *
 * @throws Fault unauthenticated for a missing, unknown, expired or revoked token; token_unbound for a warm pod's.
 */
export type AuthenticateAgent = (authorization: string | undefined) => Promise<AgentCaller>;
