/** Lets a request through to its route only for who the route is for; everything it passes on comes from the credential. */
import { Fault } from '@bravo/faults';
import type { Route } from '../routes/route.ts';
import type { Caller, CallerDirectory, SignedIn } from './caller.ts';
import { checkCsrf, checkOrigin, type Credential, credentialOf, type RequestFacts } from './request-credential.ts';

export interface Admitted {
  readonly credential: Credential | undefined;
  readonly signedIn: SignedIn | undefined;
  readonly caller: Caller | undefined;
}

export interface AdmitParts {
  readonly directory: CallerDirectory;
  readonly ownOrigins: readonly string[];
}

/** What every route inside a workspace needs at least. */
const VIEW = 'view_content';
const OPERATE = 'platform:operate';

export const createAdmitRequest = ({ directory, ownOrigins }: AdmitParts) => {
  const admitMember = async (
    route: Route,
    facts: RequestFacts,
    credential: Credential,
    slug: string,
  ): Promise<Admitted> => {
    const caller = await directory.resolve(credential.value, slug);
    checkCsrf(facts, credential, caller.csrfToken);
    const rights = [...caller.permissions, ...caller.scopes];
    for (const right of [VIEW, route.needs]) {
      if (right !== undefined && !rights.includes(right)) throw missing(right, caller);
    }
    if (route.access === 'bravo' && !(await directory.isBravoOn(caller))) {
      throw new Fault(
        'feature_off',
        '@bravo is not part of what this workspace has. The operator of the platform can switch it on.',
      );
    }
    return { credential, signedIn: undefined, caller };
  };

  return async (route: Route, facts: RequestFacts, workspaceSlug: string): Promise<Admitted> => {
    checkOrigin(facts, ownOrigins);
    if (route.access === 'anyone') return { credential: undefined, signedIn: undefined, caller: undefined };
    const credential = credentialOf(facts);
    if (route.access === 'member' || route.access === 'bravo')
      return admitMember(route, facts, credential, workspaceSlug);
    const signedIn = await directory.describe(credential.value);
    checkCsrf(facts, credential, signedIn.csrfToken);
    if (route.access === 'operator' && !signedIn.scopes.includes(OPERATE)) {
      throw new Fault(
        'permission_denied',
        `This needs an API token with the scope ${OPERATE}, which the operator's command line makes.`,
      );
    }
    return { credential, signedIn, caller: undefined };
  };
};

const missing = (right: string, { kind, membership }: Caller): Fault =>
  new Fault(
    'permission_denied',
    kind === 'api_token'
      ? `The API token lacks "${right}", or its owner's role ${membership.role} does.`
      : `Your role ${membership.role} lacks the permission "${right}". Ask an admin of the workspace.`,
  );

export type AdmitRequest = ReturnType<typeof createAdmitRequest>;
