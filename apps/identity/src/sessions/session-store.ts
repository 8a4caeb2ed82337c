/** What sessions need of a store. Tokens never reach it, only their hashes. */

export interface SessionStore {
  createSession(session: { id: string; tokenHash: string; userId: string; expiresAt: Date }): Promise<void>;
  /** @returns whom the session belonged to, undefined when there was none. */
  deleteSession(tokenHash: string): Promise<{ userId: string } | undefined>;
  deleteExpired(before: Date): Promise<void>;
}
