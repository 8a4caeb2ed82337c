/** The person behind a gRPC call, read from the signed principal and from nothing else. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';

export interface PersonPrincipal {
  readonly userId: string;
  readonly workspaceId: string;
}

/** @throws Fault permission_denied for an agent or a service: neither is a person (D3). */
export const personOf = (principal: Principal): PersonPrincipal => {
  if (principal.agent !== undefined || principal.userId.startsWith('service:')) {
    throw new Fault('permission_denied', 'Only a person may do this.');
  }
  if (principal.userId === '' || principal.workspaceId === '') {
    throw new Fault('permission_denied', 'The call names no person and workspace.');
  }
  return { userId: principal.userId, workspaceId: principal.workspaceId };
};
