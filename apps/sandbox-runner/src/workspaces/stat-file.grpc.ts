/** StatFile on the wire: what an approval or an edit may be bound to. */
import type { Handlers } from '@bravo/chassis';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import { workspaceKey } from './workspace-key.ts';
import type { Workspaces } from './workspace.port.ts';

export const statFileHandler = (
  workspaces: Workspaces,
): Pick<Handlers<typeof WorkspaceServiceService>, 'statFile'> => ({
  statFile: async ({ conversationId, path }, { principal }) => ({
    facts: await workspaces.stat(workspaceKey(principal, conversationId), path),
  }),
});
