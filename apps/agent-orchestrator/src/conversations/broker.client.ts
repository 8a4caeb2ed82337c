/** The tool-broker over gRPC, on behalf of the person whose conversation it is. */
import type { GrpcClient } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';
import type { Broker } from './broker.ts';

export const createBroker = (client: GrpcClient<typeof BrokerServiceService>): Broker => ({
  snapshot: async (subject, { id, mode, projectId, attended }) => {
    const answer = await client.snapshotConversation({ conversationId: id, mode, projectId, attended }, { subject });
    return answer.policyVersion;
  },
  setMode: async (subject, conversationId, mode) =>
    void (await client.setConversationMode({ conversationId, mode }, { subject })),
  withdraw: async (subject, conversationId) =>
    void (await client.withdrawQuestions({ conversationId }, { subject, timeoutMs: 1_500 })),
  report: (owner, { takenWork, ...report }) =>
    client.reportDelegate(
      { ...report, takenWork: [...takenWork] },
      { subject: { userId: 'service:orchestrator', workspaceId: owner.workspaceId } },
    ),
  erase: async (subject, conversationId) => void (await client.eraseConversation({ conversationId }, { subject })),
});
