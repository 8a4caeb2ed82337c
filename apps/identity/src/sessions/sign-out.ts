/** Ends a session at once; ending one that is gone already is no error. */
import { hashCredential } from '../credentials/credential.ts';
import type { Invalidation } from '../invalidations/invalidation.ts';
import type { SessionStore } from './session-store.ts';

export const createSignOut =
  ({ sessions, invalidation }: { sessions: SessionStore; invalidation: Invalidation }) =>
  async (sessionToken: string): Promise<void> => {
    const ended = await sessions.deleteSession(hashCredential(sessionToken));
    if (ended) invalidation.announce('', { userId: ended.userId });
  };
