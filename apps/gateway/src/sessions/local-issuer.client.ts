/** Sign-in and sign-out at identity; the session token passes through here to the cookie and nowhere else. */
import type { IdentityClient } from '../callers/caller-directory.client.ts';
import { toPerson, toSignedIn } from '../callers/caller-directory.client.ts';
import type { LocalIssuer } from './local-issuer.ts';

export const createLocalIssuer = (identity: IdentityClient): LocalIssuer => ({
  signIn: async (name) => {
    const { sessionToken, expiresAt } = await identity.signIn({ name });
    // Described like any other credential, so that signing in and asking later can never say different things.
    const signedIn = toSignedIn(await identity.describeCaller({ credential: sessionToken }));
    return { token: sessionToken, expiresAt: expiresAt ?? new Date(), signedIn };
  },
  signOut: async (sessionToken) => void (await identity.signOut({ sessionToken })),
  listPeople: async () => (await identity.listLocalPeople({})).people.map(toPerson),
});
