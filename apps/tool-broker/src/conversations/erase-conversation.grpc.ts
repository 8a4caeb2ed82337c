/** The end of a conversation. It may be the orchestrator's own work, so a workspace is enough and no person is needed. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { BrokerServiceService } from '@bravo/proto/broker';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ConversationStore } from './conversation.ts';
import { readConversationId } from './read-request.ts';

/**
 * Files and results go last: while the sandbox cannot be reached the call fails, and whoever ended the conversation asks again.
 * @param wakeHolds lets held calls see at once that their question is gone.
 */
export const eraseConversationHandler = (
  conversations: Pick<ConversationStore, 'erase' | 'find'>,
  sandbox: Pick<Sandbox, 'erase'>,
  wakeHolds: () => void,
  endDelegateJobs: (conversationId: string) => Promise<void>,
): Pick<Handlers<typeof BrokerServiceService>, 'eraseConversation'> => ({
  eraseConversation: async ({ conversationId }, { principal }) => {
    if (principal.workspaceId === '') throw new Fault('permission_denied', 'The call names no workspace.');
    const { workspaceId } = principal;
    const id = readConversationId(conversationId);
    // A delegate's files are not its own: they stay, with what it did to them marked.
    const found = await conversations.find(id);
    const shares = found?.delegate !== undefined && found.workspaceId === workspaceId;
    if (shares && !found.ended) await endDelegateJobs(id);
    await conversations.erase(id, workspaceId);
    wakeHolds();
    if (!shares) await sandbox.erase({ conversationId: id, workspaceId });
    return {};
  },
});
