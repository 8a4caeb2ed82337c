/** The person's choice of mode, for their own live conversation only. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import type { ConversationStore } from './conversation.ts';
import { readConversationId, readMode } from './read-request.ts';

export const setConversationModeHandler = (
  conversations: Pick<ConversationStore, 'setMode'>,
): Pick<Handlers<typeof BrokerServiceService>, 'setConversationMode'> => ({
  setConversationMode: async ({ conversationId, mode }, { principal }) => {
    const { userId, workspaceId } = personOf(principal);
    const id = readConversationId(conversationId);
    if (!(await conversations.setMode(id, workspaceId, userId, readMode(mode)))) {
      throw new Fault('not_found', 'There is no such conversation.');
    }
    return {};
  },
});
