/** What an API token can be limited to: permissions of its owner, and rights of the credential itself. */
import { Fault } from '@bravo/faults';
import { isPermission, PERMISSIONS } from '@bravo/policy';
import { OPERATE_PLATFORM } from '../callers/actor.ts';
import { CONFIGURE_WORKSPACE } from '../members/require-admin.ts';

/** Rights of a person's own credential, beside the permission names. */
export const CREDENTIAL_SCOPES: readonly string[] = ['approvals:decide', CONFIGURE_WORKSPACE];

/** Everything a person can hand out of their own; operating the platform is not theirs. */
export const PERSONAL_SCOPES: readonly string[] = [...PERMISSIONS, ...CREDENTIAL_SCOPES];

/**
 * The scopes to store: always spelled out, so that an empty stored list permits nothing.
 * @throws Fault invalid_argument for a name that is no scope, permission_denied for one the minter cannot give.
 */
export const scopesToGrant = (wanted: readonly string[], mintedByOperator: boolean): string[] => {
  if (wanted.length === 0) return [...PERSONAL_SCOPES];
  for (const scope of wanted) {
    if (scope === OPERATE_PLATFORM) {
      if (!mintedByOperator)
        throw new Fault('permission_denied', `Only the operator's command line gives ${OPERATE_PLATFORM}.`);
    } else if (!PERSONAL_SCOPES.includes(scope)) {
      const known = [...CREDENTIAL_SCOPES, ...PERMISSIONS].join(', ');
      throw new Fault('invalid_argument', `"${scope}" is no scope. Use some of ${known}.`, {
        meta: { field: 'scopes' },
      });
    }
  }
  return [...new Set(wanted)];
};

/** The role's permissions that the scopes let through. */
export const permissionsWithin = (permissions: readonly string[], scopes: readonly string[]): string[] =>
  permissions.filter((permission) => scopes.includes(permission));

/** The scopes that are no permission names. */
export const credentialScopes = (scopes: readonly string[]): string[] => scopes.filter((scope) => !isPermission(scope));
