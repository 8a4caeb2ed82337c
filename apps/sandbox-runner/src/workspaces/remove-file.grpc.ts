/** RemoveFile on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import { workspaceKey } from './workspace-key.ts';
import type { Workspaces } from './workspace.port.ts';

export const removeFileHandler = (
  workspaces: Workspaces,
): Pick<Handlers<typeof WorkspaceServiceService>, 'removeFile'> => ({
  removeFile: ({ conversationId, path, expectedRevision }, { principal }) =>
    workspaces.remove(workspaceKey(principal, conversationId), path, expectedRevision),
});
