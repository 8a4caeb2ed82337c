/** Callers from identity, remembered under a second and forgotten the moment identity says that something changed. */
import { createHash } from 'node:crypto';
import { BriefCache, createCredentialLookups, type GrpcClient } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/identity';
import { type Caller, type CallerDirectory, type Membership, type Person, type SignedIn, subjectOf } from './caller.ts';

export type IdentityClient = GrpcClient<typeof proto.IdentityServiceService>;

export interface CallerDirectoryParts {
  readonly identity: IdentityClient;
  /** Core NATS: hears `identity.invalidate.<workspace>`. */
  readonly listen: (subject: string, handle: (subject: string, body: string) => void) => { stop(): void };
  readonly now: () => number;
}

const TTL_MS = 900;
const MAX_ENTRIES = 10_000;

export const createCallerDirectory = ({
  identity,
  listen,
  now,
}: CallerDirectoryParts): CallerDirectory & { stop(): void } => {
  const options = { ttlMs: TTL_MS, now, maxEntries: MAX_ENTRIES };
  const callers = new BriefCache<Caller>(options);
  const signedIn = new BriefCache<SignedIn>(options);
  const features = new BriefCache<boolean>(options);
  const lookups = createCredentialLookups({ now });

  const subscription = listen('identity.invalidate.>', (_subject, body) => {
    const userId = userIdOf(body);
    // A message that names nobody concerns everybody.
    const fits = ({ person }: { person: Person }) => userId === undefined || person.id === userId;
    callers.forget(fits);
    signedIn.forget(fits);
    if (userId === undefined) features.forget(() => true);
  });

  return {
    describe: (credential) =>
      signedIn.get(keyOf(credential), async () =>
        toSignedIn(await lookups.look(keyOf(credential), () => identity.describeCaller({ credential }))),
      ),
    resolve: (credential, workspaceSlug) =>
      callers.get(keyOf(credential, workspaceSlug), async () =>
        toCaller(
          await lookups.look(keyOf(credential), () => identity.resolveCaller({ credential, workspaceSlug })),
        ),
      ),
    isBravoOn: (caller) => {
      const workspaceId = caller.membership.workspace_id;
      return features.get(workspaceId, async () => {
        const answer = await identity.resolveFeatures({ workspaceId }, { subject: subjectOf(caller) });
        return answer.features.some(({ name, enabled }) => name === 'bravo' && enabled);
      });
    },
    stop: () => subscription.stop(),
  };
};

/** The cache holds no credential, only what one cannot be computed back from. */
const keyOf = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64');

const userIdOf = (body: string): string | undefined => {
  try {
    const { user_id } = JSON.parse(body) as { user_id?: unknown };
    return typeof user_id === 'string' ? user_id : undefined;
  } catch {
    return undefined;
  }
};

export const toPerson = (person: proto.Person | undefined): Person => {
  if (!person) throw new Fault('internal', 'Identity answered without a person.');
  return { id: person.id, name: person.name, display_name: person.displayName, email: person.email };
};

export const toMembership = (membership: proto.Membership): Membership => ({
  workspace_id: membership.workspaceId,
  workspace_slug: membership.workspaceSlug,
  workspace_name: membership.workspaceName,
  role: membership.role,
  permissions: membership.permissions,
});

const kindOf = (kind: string): 'session' | 'api_token' => (kind === 'session' ? 'session' : 'api_token');

export const toSignedIn = (answer: proto.DescribeCallerResponse): SignedIn => ({
  person: toPerson(answer.person),
  memberships: answer.memberships.map(toMembership),
  csrfToken: answer.csrfToken,
  kind: kindOf(answer.credentialKind),
  scopes: answer.scopes,
});

const toCaller = (answer: proto.ResolveCallerResponse): Caller => {
  if (!answer.membership) throw new Fault('internal', 'Identity answered without a membership.');
  return {
    person: toPerson(answer.person),
    membership: toMembership(answer.membership),
    permissions: answer.permissions,
    scopes: answer.scopes,
    csrfToken: answer.csrfToken,
    kind: kindOf(answer.credentialKind),
  };
};
