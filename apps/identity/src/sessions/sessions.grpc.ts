/** SignIn, SignOut and ListLocalPeople on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { toProtoMembership, toProtoPerson } from '../people/people-codec.grpc.ts';
import type { createListLocalPeople, createSignIn } from './sign-in.ts';
import type { createSignOut } from './sign-out.ts';

export const sessionHandlers = (use: {
  signIn: ReturnType<typeof createSignIn>;
  signOut: ReturnType<typeof createSignOut>;
  listLocalPeople: ReturnType<typeof createListLocalPeople>;
}): Pick<Handlers<typeof IdentityServiceService>, 'signIn' | 'signOut' | 'listLocalPeople'> => ({
  signIn: async ({ name }) => {
    const { person, memberships, ...session } = await use.signIn(name);
    return { ...session, person: toProtoPerson(person), memberships: memberships.map(toProtoMembership) };
  },
  signOut: async ({ sessionToken }) => {
    await use.signOut(sessionToken);
    return {};
  },
  listLocalPeople: async () => ({ people: (await use.listLocalPeople()).map(toProtoPerson) }),
});
