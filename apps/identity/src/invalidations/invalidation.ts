/** Tells every cache that what it knows of a person, a token or (naming neither) a workspace's configuration is old; best effort, because caches live under a second anyway. */

export interface Invalidation {
  /** Never throws and never waits. `workspaceId` may be empty for something that concerns every workspace. */
  announce(workspaceId: string, what: { userId?: string; tokenId?: string }): void;
}
