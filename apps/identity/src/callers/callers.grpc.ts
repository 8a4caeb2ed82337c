/** DescribeCaller and ResolveCaller on the wire, and the principal of a call as an actor. */
import type { Handlers, Principal } from '@bravo/chassis';
import type { IdentityServiceService } from '@bravo/proto/identity';
import { toProtoMembership, toProtoPerson } from '../people/people-codec.grpc.ts';
import type { Actor } from './actor.ts';
import type { createDescribeCaller, createResolveCaller } from './resolve-caller.ts';

export const actorOf = ({ issuer, userId, workspaceId, permissions }: Principal): Actor => ({
  issuer,
  userId,
  workspaceId,
  permissions,
});

export const callerHandlers = (use: {
  describeCaller: ReturnType<typeof createDescribeCaller>;
  resolveCaller: ReturnType<typeof createResolveCaller>;
}): Pick<Handlers<typeof IdentityServiceService>, 'describeCaller' | 'resolveCaller'> => ({
  describeCaller: async ({ credential }) => {
    const caller = await use.describeCaller(credential);
    return {
      person: toProtoPerson(caller.person),
      memberships: caller.memberships.map(toProtoMembership),
      csrfToken: caller.csrfToken,
      credentialKind: caller.kind,
      scopes: [...caller.scopes],
    };
  },
  resolveCaller: async ({ credential, workspaceSlug }) => {
    const caller = await use.resolveCaller(credential, workspaceSlug);
    return {
      person: toProtoPerson(caller.person),
      membership: toProtoMembership(caller.membership),
      permissions: [...caller.permissions],
      scopes: [...caller.scopes],
      csrfToken: caller.csrfToken,
      credentialKind: caller.kind,
    };
  },
});
