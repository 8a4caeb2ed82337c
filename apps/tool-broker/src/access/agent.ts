/** Who calls the MCP edge; it holds what identity says now, and must never hold the token itself. */
import type { Permission } from '@bravo/policy';
import type { KeptDefinitions } from '../definitions/definition.ts';
import type { StoredLayer } from '../rules/stored-layers.ts';

/** A warm pod's token: it may initialize and list tools, and call none (D25). */
export interface UnboundAgent {
  readonly bound: false;
  readonly tokenId: string;
  readonly podId: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface BoundAgent {
  readonly bound: true;
  readonly tokenId: string;
  /** Empty for an attached agent. */
  readonly podId: string;
  readonly userId: string;
  readonly userName: string;
  readonly workspaceId: string;
  readonly workspaceSlug: string;
  readonly conversationId: string;
  readonly role: string;
  /** The person's own permissions, read now. */
  readonly permissions: readonly Permission[];
  readonly expiresAt: number;
}

export type Agent = UnboundAgent | BoundAgent;

/** The agent configuration as identity has it now. */
export interface AgentConfig {
  readonly enabled: boolean;
  readonly allowedTools: readonly string[];
  readonly deniedTools: readonly string[];
  readonly requireApproval: readonly string[];
  readonly codeExecEnabled: boolean;
  readonly maxConcurrent: number;
}

/** What the broker asks of identity. Every method throws a Fault when identity cannot answer; nothing here has a default. */
export interface Identity extends KeptDefinitions {
  /** @throws Fault unauthenticated for an unknown, expired or revoked token. */
  resolveAgentToken(token: string): Promise<Agent>;
  /** @throws Fault not_found when the user is no member. */
  resolveMember(workspaceId: string, userId: string): Promise<{ role: string; permissions: readonly Permission[] }>;
  features(workspaceId: string): Promise<Readonly<Record<string, boolean>>>;
  agentConfig(workspaceId: string): Promise<{ config: AgentConfig; version: number }>;
  /** The three stored layers that hold for the person, weakest first; one that nobody wrote is there too, as `{}`. */
  settings(workspaceId: string, userId: string): Promise<readonly StoredLayer[]>;
  /** The person's layer of one conversation as it is now; version 0 where nobody wrote one. */
  conversationSettings(workspaceId: string, userId: string, conversationId: string): Promise<StoredLayer>;
}
