/** Erases what a conversation left here: its programs end first, then its files go, then what its programs had put out. */
import type { WorkspaceKey, Workspaces } from './workspace.port.ts';

export interface EraseParts {
  readonly workspaces: Pick<Workspaces, 'stat' | 'erase'>;
  readonly executions: { cancelConversation(workspaceId: string, conversationId: string): Promise<void> };
  readonly log: { eraseConversation(workspaceId: string, conversationId: string): Promise<void> };
}

export type EraseWorkspace = (key: WorkspaceKey) => Promise<void>;

/** Idempotent. Throws `not_found` for another workspace's conversation before anything is touched. */
export const createEraseWorkspace =
  ({ workspaces, executions, log }: EraseParts): EraseWorkspace =>
  async (key) => {
    await workspaces.stat(key, '');
    await executions.cancelConversation(key.workspaceId, key.conversationId);
    await workspaces.erase(key);
    await log.eraseConversation(key.workspaceId, key.conversationId);
  };
