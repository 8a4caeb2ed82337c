/** Who asks, as the principal says; a call without a person or a workspace is refused and nothing else is believed. */
import { Fault } from '@bravo/faults';

export interface Caller {
  readonly userId: string;
  readonly workspaceId: string;
  readonly role: string;
  readonly permissions: readonly string[];
  /** The service that asks for them. */
  readonly issuer: string;
}

interface PrincipalLike extends Caller {
  readonly agent: unknown;
}

/** @throws Fault permission_denied */
export const readCaller = ({ userId, workspaceId, role, permissions, issuer, agent }: PrincipalLike): Caller => {
  if (agent !== undefined) throw new Fault('permission_denied', 'An agent may not speak to the orchestrator.');
  if (workspaceId === '' || !userId.startsWith('usr_')) {
    throw new Fault('permission_denied', 'The call is made for no person of a workspace.');
  }
  return { userId, workspaceId, role, permissions, issuer };
};

/** Whether they look after the workspace's people, and so see what each has and used: a permission, never a role's name. */
export const managesMembers = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions.includes('manage_members');
