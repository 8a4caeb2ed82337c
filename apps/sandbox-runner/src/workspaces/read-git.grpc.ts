/** ReadGit on the wire; what the toolbox answers is the word of an untrusted program and was checked for its shape alone. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import { GIT_QUERIES } from '@bravo/workspace-files';
import { boundedCount } from './bounded-count.ts';
import { workspaceKey } from './workspace-key.ts';
import type { Workspaces } from './workspace.port.ts';

const COUNT = { fallback: 20, most: 200 };
const SKIP = { fallback: 0, most: 1_000_000 };

export const readGitHandler = (workspaces: Workspaces): Pick<Handlers<typeof WorkspaceServiceService>, 'readGit'> => ({
  readGit: async ({ conversationId, query: named, count, skip, ...asked }, { principal }) => {
    const query = GIT_QUERIES.find((one) => one === named);
    if (query === undefined)
      throw new Fault('invalid_argument', `The query is one of ${GIT_QUERIES.join(', ')}.`, {
        meta: { field: 'query' },
      });
    return workspaces.readGit(workspaceKey(principal, conversationId), {
      ...{ ...asked, query },
      count: boundedCount('count', count, COUNT),
      skip: boundedCount('skip', skip, SKIP),
    });
  },
});
