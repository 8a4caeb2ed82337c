/** Whose credential this is, or a refusal; an agent's token is refused here always, because no person holds it. */
import { Fault } from '@bravo/faults';
import { PERSONAL_SCOPES } from '../api-tokens/scopes.ts';
import { credentialKind, csrfTokenOf, hashCredential } from '../credentials/credential.ts';
import type { Person } from '../people/person.ts';
import type { CallerStore } from './caller-store.ts';

export interface AuthenticatedCaller {
  readonly person: Person;
  readonly kind: 'session' | 'api_token';
  /** Empty for an API token, which no browser sends by itself. */
  readonly csrfToken: string;
  readonly scopes: readonly string[];
  /** The only workspace an API token works in; undefined for a session. */
  readonly onlyWorkspaceId: string | undefined;
}

export interface AuthenticateParts {
  readonly callers: CallerStore;
  readonly now: () => Date;
}

export const createAuthenticateCaller =
  ({ callers, now }: AuthenticateParts) =>
  async (credential: string): Promise<AuthenticatedCaller> => {
    const kind = credentialKind(credential);
    if (kind === 'session') {
      const session = await callers.findSession(hashCredential(credential));
      if (!session || session.expiresAt <= now())
        throw new Fault('unauthenticated', 'The session has ended. Sign in again.');
      return {
        person: session.person,
        kind,
        csrfToken: csrfTokenOf(credential),
        scopes: PERSONAL_SCOPES,
        onlyWorkspaceId: undefined,
      };
    }
    if (kind === 'api_token') {
      const token = await callers.findApiToken(hashCredential(credential));
      if (!token || token.revokedAt || token.expiresAt <= now()) {
        throw new Fault('unauthenticated', 'The API token is unknown, expired or revoked. Make a new one.');
      }
      return { person: token.person, kind, csrfToken: '', scopes: token.scopes, onlyWorkspaceId: token.workspaceId };
    }
    if (kind === 'agent_token') {
      throw new Fault('unauthenticated', "An agent's token is accepted by the tool-broker and the model gateway only.");
    }
    throw new Fault('unauthenticated', 'The credential has none of the forms Bravo gives out. Sign in again.');
  };

export type AuthenticateCaller = ReturnType<typeof createAuthenticateCaller>;
