/** What the orchestrator tells the broker of a conversation's life, in the name of its person. */
import type { Handlers, Principal } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { isMode, type Mode } from '@bravo/policy';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { ConversationStore } from './conversation.ts';
import type { makeSnapshotConversation } from './snapshot-conversation.ts';

type Methods = Pick<
  Handlers<typeof BrokerServiceService>,
  'snapshotConversation' | 'eraseConversation' | 'setConversationMode'
>;

export const conversationHandlers = (
  conversations: ConversationStore,
  snapshotConversation: ReturnType<typeof makeSnapshotConversation>,
  wakeHolds: () => void,
): Methods => ({
  snapshotConversation: async ({ conversationId, mode, projectId }, { principal }) => ({
    policyVersion: await snapshotConversation({
      ...personOf(principal),
      conversationId: known(conversationId),
      projectId,
      mode: readMode(mode),
    }),
  }),
  eraseConversation: async ({ conversationId }, { principal }) => {
    await conversations.erase(known(conversationId), workspaceOf(principal));
    wakeHolds();
    return {};
  },
  setConversationMode: async ({ conversationId, mode }, { principal }) => {
    const { userId, workspaceId } = personOf(principal);
    if (!(await conversations.setMode(known(conversationId), workspaceId, userId, readMode(mode)))) {
      throw new Fault('not_found', 'There is no such conversation.');
    }
    return {};
  },
});

/** Erasing may also be the orchestrator's own work, so a workspace is enough. */
const workspaceOf = (principal: Principal): string => {
  if (principal.workspaceId === '') throw new Fault('permission_denied', 'The call names no workspace.');
  return principal.workspaceId;
};

const known = (conversationId: string): string => {
  if (conversationId === '')
    throw new Fault('invalid_argument', 'The call names no conversation.', { meta: { field: 'conversation_id' } });
  return conversationId;
};

const readMode = (mode: string): Mode => {
  if (!isMode(mode))
    throw new Fault('invalid_argument', 'The mode must be ask, coworker or voice.', { meta: { field: 'mode' } });
  return mode;
};
