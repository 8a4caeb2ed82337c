/** Erases what a conversation left here: its programs end first, then its files go, then what its programs had put out. */
import type { WorkspaceKey, Workspaces } from './workspace.port.ts';

interface ConversationPrograms {
  cancelConversation(workspaceId: string, conversationId: string): Promise<void>;
}

export interface EraseParts {
  readonly workspaces: Pick<Workspaces, 'stat' | 'erase'>;
  readonly executions: ConversationPrograms;
  readonly jobs: ConversationPrograms;
  readonly log: { eraseConversation(workspaceId: string, conversationId: string): Promise<void> };
}

export type EraseWorkspace = (key: WorkspaceKey) => Promise<void>;

/** Idempotent. Throws `not_found` for another workspace's conversation before anything is touched. */
export const createEraseWorkspace =
  ({ workspaces, executions, jobs, log }: EraseParts): EraseWorkspace =>
  async (key) => {
    await workspaces.stat(key, '');
    await Promise.all([executions, jobs].map((each) => each.cancelConversation(key.workspaceId, key.conversationId)));
    await workspaces.erase(key);
    await log.eraseConversation(key.workspaceId, key.conversationId);
  };
