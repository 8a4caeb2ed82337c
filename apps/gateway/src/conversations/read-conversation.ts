/** One conversation with everything a page needs to show it and to go on from there without a gap. */
import type { CallSubject } from '../callers/caller.ts';
import type { Broker } from '../tool-calls/broker.ts';
import { tellablePosition } from '../turn-streams/stream-position.ts';
import type { TurnLog } from '../turn-streams/turn-log.ts';
import type { ConversationDetail } from './conversation-routes.ts';
import type { Orchestrator } from './orchestrator.ts';

export interface ReadConversationParts {
  readonly orchestrator: Pick<Orchestrator, 'getConversation'>;
  readonly broker: Pick<Broker, 'listOpenApprovals'>;
  readonly turnLog: Pick<TurnLog, 'bounds'>;
}

export const createReadConversation =
  ({ orchestrator, broker, turnLog }: ReadConversationParts) =>
  async (subject: CallSubject, conversationId: string): Promise<ConversationDetail> => {
    // Read before the snapshot, see tellablePosition.
    const { first } = await turnLog.bounds(subject.workspaceId, conversationId);
    const { conversation, messages, position } = await orchestrator.getConversation(subject, conversationId);
    // An ended conversation has no questions any more, and the broker has forgotten it.
    const approvals = conversation.status === 'active' ? await broker.listOpenApprovals(subject, conversationId) : [];
    return { conversation, messages, approvals, stream_position: String(tellablePosition(position, first)) };
  };

export type ReadConversation = ReturnType<typeof createReadConversation>;
