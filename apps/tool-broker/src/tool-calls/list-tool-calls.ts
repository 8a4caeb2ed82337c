/** Shows the calls of a conversation to the person it belongs to. */
import { Fault } from '@bravo/faults';
import type { PersonPrincipal } from '../access/person.ts';
import type { Approval, ApprovalStore } from '../approvals/approval.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import type { ToolCallView } from './tool-call.ts';

export interface ToolCallViews {
  /** Oldest first, the newest 200. */
  ofConversation(conversationId: string): Promise<readonly ToolCallView[]>;
}

/** @throws Fault not_found for a conversation of someone else. */
export const createListToolCalls =
  (conversations: ConversationStore, views: ToolCallViews, approvals: Pick<ApprovalStore, 'list'>) =>
  async (
    person: PersonPrincipal,
    conversationId: string,
  ): Promise<readonly { call: ToolCallView; approval: Approval | undefined }[]> => {
    const conversation = await conversations.find(conversationId);
    if (conversation === undefined || !isOwnedBy(conversation, person))
      throw new Fault('not_found', 'There is no such conversation.');
    const [calls, questions] = await Promise.all([
      views.ofConversation(conversationId),
      approvals.list(person, conversationId, false),
    ]);
    const byCall = new Map(questions.map((question) => [question.toolCallId, question]));
    return calls.map((call) => ({ call, approval: byCall.get(call.id) }));
  };
