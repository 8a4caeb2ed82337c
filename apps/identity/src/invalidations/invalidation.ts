/** Tells every cache of callers that what it knows of a person or token is old; best effort, because caches live under a second anyway. */

export interface Invalidation {
  /** Never throws and never waits. `workspaceId` may be empty for something that concerns every workspace. */
  announce(workspaceId: string, what: { userId?: string; tokenId?: string }): void;
}
