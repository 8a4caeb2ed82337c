/** What the orchestrator needs of identity. Every answer that cannot be had is a Fault, which the caller must let deny. */

export interface AgentToken {
  readonly tokenId: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface MemberAccess {
  readonly role: string;
  readonly permissions: readonly string[];
}

export interface Identity {
  featureEnabled(workspaceId: string, feature: string): Promise<boolean>;
  agentConfig(
    workspaceId: string,
  ): Promise<{ readonly enabled: boolean; readonly maxConcurrent: number; readonly maxDelegates: number }>;
  /** `undefined` when they are no member (any more). */
  member(workspaceId: string, userId: string): Promise<MemberAccess | undefined>;
  mintAgentToken(podId: string, ttlSeconds: number): Promise<AgentToken>;
  bindAgentToken(
    tokenId: string,
    to: {
      readonly userId: string;
      readonly workspaceId: string;
      readonly conversationId: string;
      /** Absent: it is nobody's delegate. */
      readonly rootConversationId?: string | undefined;
    },
  ): Promise<Date>;
  revokeAgentToken(tokenId: string): Promise<void>;
  /** What an ended conversation left at identity: its own settings. */
  eraseConversation(workspaceId: string, conversationId: string): Promise<void>;
  revokeConversationTokens(conversationId: string): Promise<void>;
}
