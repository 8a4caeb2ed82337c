/** The person behind a request, as resolved by identity a moment ago; nothing in it ever comes from the request's own words. */

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly email: string;
}

export interface Membership {
  readonly workspace_id: string;
  readonly workspace_slug: string;
  readonly workspace_name: string;
  readonly role: string;
  readonly permissions: readonly string[];
}

export interface SignedIn {
  readonly person: Person;
  readonly memberships: readonly Membership[];
  /** Empty for an API token. */
  readonly csrfToken: string;
  readonly kind: 'session' | 'api_token';
  /** Rights of the credential itself, such as `approvals:decide`. */
  readonly scopes: readonly string[];
}

/** A signed-in person inside one workspace. */
export interface Caller extends Omit<SignedIn, 'memberships'> {
  readonly membership: Membership;
  /** The role's permissions narrowed by the credential. */
  readonly permissions: readonly string[];
}

/** Whom a call to another service is made for. */
export interface CallSubject {
  readonly userId: string;
  readonly workspaceId: string;
  readonly role: string;
  readonly permissions: readonly string[];
}

export const subjectOf = ({ person, membership, permissions, scopes }: Caller): CallSubject => ({
  userId: person.id,
  workspaceId: membership.workspace_id,
  role: membership.role,
  permissions: [...permissions, ...scopes],
});

/** The operator acts outside every workspace. */
export const operatorSubject = ({ person, scopes }: SignedIn): CallSubject => ({
  userId: person.id,
  workspaceId: '',
  role: '',
  permissions: scopes,
});

/** Whether they look after the workspace's people, and so see what each used: a permission, never a role's name. */
export const managesMembers = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions.includes('manage_members');

/** Where callers are looked up. @throws Fault unauthenticated, or not_found for a workspace the person is not in. */
export interface CallerDirectory {
  describe(credential: string): Promise<SignedIn>;
  resolve(credential: string, workspaceSlug: string): Promise<Caller>;
  /** Whether @bravo is on in the workspace at all. */
  isBravoOn(caller: Caller): Promise<boolean>;
}
