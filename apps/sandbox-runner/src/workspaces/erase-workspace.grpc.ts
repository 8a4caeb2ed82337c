/** EraseWorkspace on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import type { EraseWorkspace } from './erase-workspace.ts';
import { workspaceKey } from './workspace-key.ts';

export const eraseWorkspaceHandler = (
  erase: EraseWorkspace,
): Pick<Handlers<typeof WorkspaceServiceService>, 'eraseWorkspace'> => ({
  eraseWorkspace: async ({ conversationId }, { principal }) => {
    await erase(workspaceKey(principal, conversationId));
    return {};
  },
});
