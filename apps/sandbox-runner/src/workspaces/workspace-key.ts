/** The conversation of the request within the workspace of the signed principal. */
import type { Principal } from '@bravo/chassis';
import { callerWorkspace } from '../access/caller-workspace.ts';
import type { WorkspaceKey } from './workspace.port.ts';

export const workspaceKey = (
  principal: Pick<Principal, 'workspaceId' | 'issuer'>,
  conversationId: string,
): WorkspaceKey => ({ workspaceId: callerWorkspace(principal), conversationId });
