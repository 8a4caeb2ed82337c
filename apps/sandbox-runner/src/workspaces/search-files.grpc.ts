/** SearchFiles on the wire; the answer says of each way in which it is not the whole one. */
import type { Handlers } from '@bravo/chassis';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import { boundedCount } from './bounded-count.ts';
import { workspaceKey } from './workspace-key.ts';
import type { Workspaces } from './workspace.port.ts';

const MATCHES = { fallback: 200, most: 200 };
const OFFSET = { fallback: 0, most: 1_000_000 };

export const searchFilesHandler = (
  workspaces: Workspaces,
): Pick<Handlers<typeof WorkspaceServiceService>, 'searchFiles'> => ({
  searchFiles: async (
    { conversationId, patterns, ignoreCase, directory, include, offset, maxMatches },
    { principal },
  ) => {
    const found = await workspaces.search(workspaceKey(principal, conversationId), {
      patterns: [...patterns],
      caseSensitive: !ignoreCase,
      directory,
      include,
      offset: boundedCount('offset', offset, OFFSET),
      maxMatches: boundedCount('max_matches', maxMatches, MATCHES),
    });
    return { ...found, matches: [...found.matches], partial: [...found.partial] };
  },
});
