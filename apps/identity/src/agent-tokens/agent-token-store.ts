/** What agent tokens need of a store; binding is a compare-and-set, so a token speaks for one conversation ever. */

export interface AgentToken {
  readonly id: string;
  readonly podId: string;
  readonly binding: Binding | undefined;
  readonly expiresAt: Date;
  readonly revokedAt: Date | undefined;
}

export interface Binding {
  readonly userId: string;
  readonly workspaceId: string;
  readonly conversationId: string;
  /** The conversation at the root of the delegates' tree; empty: it is nobody's delegate. */
  readonly rootConversationId: string;
}

export interface AgentTokenStore {
  createAgentToken(
    token: { id: string; tokenHash: string; podId: string; expiresAt: Date },
    actor: string,
  ): Promise<void>;
  findAgentToken(id: string): Promise<AgentToken | undefined>;
  findByHash(tokenHash: string): Promise<AgentToken | undefined>;
  /** False when it was bound, revoked or expired in the meantime. */
  bind(id: string, binding: Binding, at: Date, actor: string): Promise<boolean>;
  /** Revokes what is not revoked yet and answers with those tokens. */
  revoke(which: { id: string } | { conversationId: string }, at: Date, actor: string): Promise<AgentToken[]>;
  deleteExpired(before: Date): Promise<void>;
}
