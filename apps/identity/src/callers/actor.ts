/** Who asks identity for something: the verified principal reduced to what decisions need. */
import { Fault } from '@bravo/faults';

export interface Actor {
  /** Service that signed the call. */
  readonly issuer: string;
  /** A person's id, or `service:<name>` for a service's own work. */
  readonly userId: string;
  /** Empty when the call concerns no workspace. */
  readonly workspaceId: string;
  readonly permissions: readonly string[];
}

export const OPERATE_PLATFORM = 'platform:operate';

/** The command line's key, or a person with an API token that the command line gave this scope to. */
export const isOperator = (actor: Actor): boolean =>
  actor.issuer === 'operator' || actor.permissions.includes(OPERATE_PLATFORM);

const isServicesOwnWork = (actor: Actor): boolean => actor.userId.startsWith('service:');

/** A call made for a person stays inside that person's workspace; a service's own work may name any. */
export const requireWorkspace = (actor: Actor, workspaceId: string): void => {
  if (workspaceId === '')
    throw new Fault('invalid_argument', 'workspace_id is empty.', { meta: { field: 'workspace_id' } });
  if (isServicesOwnWork(actor) && actor.workspaceId === '') return;
  if (actor.workspaceId !== workspaceId) throw new Fault('not_found', 'There is no such workspace.');
};

export const requireOperator = (actor: Actor, what: string): void => {
  if (!isOperator(actor)) throw new Fault('permission_denied', `Only the operator of the platform may ${what}.`);
};

/** The name events carry: `user:<id>` where a person acted, else the service. */
export const actorName = ({ userId }: Actor): string => (isPerson(userId) ? `user:${userId}` : userId);

const isPerson = (userId: string): boolean => !userId.startsWith('service:');
