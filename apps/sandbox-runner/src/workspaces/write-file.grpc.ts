/** WriteFile on the wire. */
import type { Handlers } from '@bravo/chassis';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import { workspaceKey } from './workspace-key.ts';
import type { Workspaces } from './workspace.port.ts';

export const writeFileHandler = (
  workspaces: Workspaces,
): Pick<Handlers<typeof WorkspaceServiceService>, 'writeFile'> => ({
  writeFile: ({ conversationId, path, content, expectedRevision, expectedLanding, operationId }, { principal }) =>
    workspaces.write(workspaceKey(principal, conversationId), path, content, {
      expectedRevision,
      expectedLanding,
      operationId,
    }),
});
