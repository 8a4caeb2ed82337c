/** Sign-in and sign-out at identity; the session token passes through here to the cookie and nowhere else. */
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { toMembership, toPerson } from '../callers/caller-directory.client.ts';
import type { Person, SignedIn } from '../callers/caller.ts';

export interface StartedSession {
  readonly token: string;
  readonly expiresAt: Date;
  readonly signedIn: Omit<SignedIn, 'scopes'>;
}

export interface LocalIssuer {
  signIn(name: string): Promise<StartedSession>;
  signOut(token: string): Promise<void>;
  listPeople(): Promise<Person[]>;
}

export const createLocalIssuer = (identity: IdentityClient): LocalIssuer => ({
  signIn: async (name) => {
    const { sessionToken, csrfToken, expiresAt, person, memberships } = await identity.signIn({ name });
    return {
      token: sessionToken,
      expiresAt: expiresAt ?? new Date(),
      signedIn: { person: toPerson(person), memberships: memberships.map(toMembership), csrfToken, kind: 'session' },
    };
  },
  signOut: async (sessionToken) => void (await identity.signOut({ sessionToken })),
  listPeople: async () => (await identity.listLocalPeople({})).people.map(toPerson),
});
