/** Which workspace a call is for: the one in the signed principal, never one from the request. */
import type { Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';

/** The operator's own trials stand apart from every workspace. */
const OPERATOR_WORKSPACE = 'operator';

export const callerWorkspace = ({ workspaceId, issuer }: Pick<Principal, 'workspaceId' | 'issuer'>): string => {
  if (workspaceId !== '') return workspaceId;
  if (issuer === 'operator') return OPERATOR_WORKSPACE;
  throw new Fault('permission_denied', 'The call names no workspace, and files and programs belong to one.');
};
