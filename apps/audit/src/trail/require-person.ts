/** Who may read the trail at all: a person in a workspace. An agent must never read what it left there. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';

export const requirePerson = (principal: Principal): void => {
  if (principal.agent) throw new Fault('permission_denied', 'An agent may not read the trail.');
  if (principal.workspaceId === '') throw new Fault('permission_denied', 'The call names no workspace.');
};

/** For what is not one's own. */
export const requireAuditRead = (principal: Principal): void => {
  requirePerson(principal);
  if (!principal.permissions.includes('audit_read'))
    throw new Fault('permission_denied', "This needs the permission audit_read over the workspace's trail.");
};
