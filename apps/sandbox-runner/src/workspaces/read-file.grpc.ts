/** ReadFile on the wire; the answer says when it was cut. */
import type { Handlers } from '@bravo/chassis';
import type { WorkspaceServiceService } from '@bravo/proto/sandbox';
import { boundedCount } from './bounded-count.ts';
import { workspaceKey } from './workspace-key.ts';
import type { Workspaces } from './workspace.port.ts';

const OFFSET = { fallback: 0, most: Number.MAX_SAFE_INTEGER };
const BYTES = { fallback: 1024 * 1024, most: 64 * 1024 * 1024 };

export const readFileHandler = (
  workspaces: Workspaces,
): Pick<Handlers<typeof WorkspaceServiceService>, 'readFile'> => ({
  readFile: async ({ conversationId, path, maxBytes, offset }, { principal }) => {
    const most = boundedCount('max_bytes', maxBytes, BYTES);
    const { content, size, truncated, facts } = await workspaces.read(
      workspaceKey(principal, conversationId),
      path,
      most,
      boundedCount('offset', offset ?? 0, OFFSET),
    );
    return { content: Buffer.from(content.buffer, content.byteOffset, content.byteLength), size, truncated, facts };
  },
});
