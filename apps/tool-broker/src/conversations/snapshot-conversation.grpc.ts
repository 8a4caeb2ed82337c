/** The orchestrator begins a conversation in the name of its person; the policy is frozen before anything can be called. */
import type { Handlers } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import { readConversationId, readMode } from './read-request.ts';
import type { createSnapshotConversation } from './snapshot-conversation.ts';

export const snapshotConversationHandler = (
  snapshotConversation: ReturnType<typeof createSnapshotConversation>,
): Pick<Handlers<typeof BrokerServiceService>, 'snapshotConversation'> => ({
  snapshotConversation: async ({ conversationId, mode, projectId, attended }, { principal }) => ({
    policyVersion: await snapshotConversation({
      ...personOf(principal),
      conversationId: readConversationId(conversationId),
      projectId,
      mode: readMode(mode),
      attended,
    }),
  }),
});
