/** ListFiles on the wire; the answer says when it was cut. */
import type { Handlers } from '@bravo/chassis';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import { WORKSPACE_LIMITS } from '@bravo/workspace-files';
import { boundedCount } from './bounded-count.ts';
import { workspaceKey } from './workspace-key.ts';
import type { Workspaces } from './workspace.port.ts';

const DEPTH = { fallback: 1, most: WORKSPACE_LIMITS.depth };
const ENTRIES = { fallback: 1000, most: WORKSPACE_LIMITS.entries };

export const listFilesHandler = (
  workspaces: Workspaces,
): Pick<Handlers<typeof WorkspaceServiceService>, 'listFiles'> => ({
  listFiles: async ({ conversationId, directory, depth, maxEntries, after, withRevisions }, { principal }) => {
    const { landing, entries, truncated } = await workspaces.list(
      workspaceKey(principal, conversationId),
      directory,
      boundedCount('depth', depth, DEPTH),
      boundedCount('max_entries', maxEntries, ENTRIES),
      { after, withRevisions },
    );
    return { landing, entries: [...entries], truncated };
  },
});
