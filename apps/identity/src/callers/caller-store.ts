/** What resolving a credential needs of a store: look-ups by hash, nothing else. */
import type { Person } from '../people/person.ts';

export interface StoredSession {
  readonly person: Person;
  readonly expiresAt: Date;
}

export interface StoredApiToken {
  readonly id: string;
  readonly person: Person;
  readonly workspaceId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly revokedAt: Date | undefined;
}

export interface CallerStore {
  findSession(tokenHash: string): Promise<StoredSession | undefined>;
  findApiToken(tokenHash: string): Promise<StoredApiToken | undefined>;
}
