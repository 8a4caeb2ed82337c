/** The local issuer: starts a session for a known person without asking for proof, so it must never do so in production. */
import { newId } from '@bravo/chassis/reference';
import { Fault } from '@bravo/faults';
import { csrfTokenOf, hashCredential, newCredential } from '../credentials/credential.ts';
import type { Membership, PeopleStore, Person } from '../people/person.ts';
import type { SessionStore } from './session-store.ts';

export interface StartedSession {
  readonly sessionToken: string;
  readonly csrfToken: string;
  readonly expiresAt: Date;
  readonly person: Person;
  readonly memberships: readonly Membership[];
}

export interface SignInParts {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
  readonly production: boolean;
  readonly sessionTtlSeconds: number;
  readonly now: () => Date;
}

export const refuseLocalIssuerInProduction = (production: boolean): void => {
  if (production) {
    throw new Fault(
      'production_refused',
      'The local sign-in is for evaluation and is off in production. Configure OpenID Connect.',
    );
  }
};

export const createSignIn =
  ({ people, sessions, production, sessionTtlSeconds, now }: SignInParts) =>
  async (name: string): Promise<StartedSession> => {
    refuseLocalIssuerInProduction(production);
    const person = await people.findPersonByName(name);
    if (!person) throw new Fault('unauthenticated', 'There is nobody of that name to sign in as.');
    const sessionToken = newCredential('session');
    const expiresAt = new Date(now().getTime() + sessionTtlSeconds * 1000);
    await sessions.deleteExpired(now());
    await sessions.createSession({
      id: newId('ses'),
      tokenHash: hashCredential(sessionToken),
      userId: person.id,
      expiresAt,
    });
    const memberships = await people.listMemberships(person.id);
    return { sessionToken, csrfToken: csrfTokenOf(sessionToken), expiresAt, person, memberships };
  };

export const createListLocalPeople =
  ({ people, production }: Pick<SignInParts, 'people' | 'production'>) =>
  async (): Promise<Person[]> => {
    refuseLocalIssuerInProduction(production);
    return people.listPeople();
  };
