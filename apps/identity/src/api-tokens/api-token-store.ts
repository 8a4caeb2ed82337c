/** What API tokens need of a store; it sees hashes only. */

export interface NewApiToken {
  readonly id: string;
  readonly tokenHash: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly mintedBy: string;
  readonly expiresAt: Date;
}

export interface ApiTokenStore {
  createApiToken(token: NewApiToken, actor: string): Promise<void>;
  findOwner(tokenId: string): Promise<{ userId: string; workspaceId: string } | undefined>;
  revokeApiToken(tokenId: string, at: Date, actor: string): Promise<void>;
}
