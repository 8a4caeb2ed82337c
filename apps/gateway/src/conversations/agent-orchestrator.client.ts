/** The agent-orchestrator over gRPC: requests for a person out, the API's own shapes back. */
import type { GrpcClient } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type * as proto from '@bravo/proto/orchestrator';
import type { MessageView } from '../messages/message-view.ts';
import { textOfInstant } from '../routes/shapes.ts';
import type { DelegateView } from '../delegates/delegate-routes.ts';
import type { ConversationView } from './conversation-routes.ts';
import type { Orchestrator, Page } from './orchestrator.ts';

export type OrchestratorClient = GrpcClient<typeof proto.OrchestratorServiceService>;

export const createOrchestrator = (client: OrchestratorClient): Orchestrator => ({
  createConversation: async (subject, fields) =>
    toConversation((await client.createConversation(fields, { subject })).conversation),
  listConversations: async (subject, page, userId) => {
    const answer = await client.listConversations({ page: toPage(page), userId }, { subject });
    return { conversations: answer.conversations.map(toConversation), nextCursor: answer.page?.nextCursor ?? '' };
  },
  getConversation: async (subject, conversationId) => {
    const answer = await client.getConversation({ conversationId }, { subject });
    return {
      conversation: toConversation(answer.conversation),
      messages: answer.messages.map(toMessage),
      position: toPosition(answer.streamPosition),
    };
  },
  endConversation: async (subject, conversationId) => {
    await client.endConversation({ conversationId }, { subject });
  },
  runTurn: async (subject, { conversationId, content, idempotencyKey, context }) => {
    const answer = await client.runTurn({ conversationId, content, idempotencyKey, contextJson: context }, { subject });
    return { turnId: answer.turnId, position: toPosition(answer.streamPosition), replayed: answer.replayed };
  },
  getTurn: async (subject, conversationId, turnId) => {
    const { status, userMessage, assistantMessage } = await client.getTurn({ conversationId, turnId }, { subject });
    return {
      status,
      userMessage: userMessage && toMessage(userMessage),
      assistantMessage: assistantMessage && toMessage(assistantMessage),
    };
  },
  listMessages: async (subject, conversationId, page) => {
    const answer = await client.listMessages({ conversationId, page: toPage(page) }, { subject });
    return { messages: answer.messages.map(toMessage), nextCursor: answer.page?.nextCursor ?? '' };
  },
  cancelTurn: async (subject, conversationId) => (await client.cancelTurn({ conversationId }, { subject })).cancelled,
  setMode: async (subject, conversationId, mode) =>
    toConversation((await client.setMode({ conversationId, mode }, { subject })).conversation),
  listDelegates: async (subject, conversationId) =>
    (await client.listDelegates({ conversationId }, { subject })).delegates.map(toDelegate),
  listContainerUsage: async (subject, from, to) => (await client.listContainerUsage({ from, to }, { subject })).rows,
});

const toPage = ({ limit, cursor }: Page) => ({ limit: limit ?? 0, cursor: cursor ?? '' });

/** A position that is no number is read as "from the beginning": then events repeat, and none is lost. */
const toPosition = (text: string): number => {
  const position = Number(text);
  return Number.isSafeInteger(position) && position >= 0 ? position : 0;
};

const toConversation = (conversation: proto.Conversation | undefined): ConversationView => {
  if (!conversation) throw new Fault('internal', 'The orchestrator answered without a conversation.');
  return {
    id: conversation.id,
    user_id: conversation.userId,
    project_id: conversation.projectId,
    title: conversation.title,
    mode: conversation.mode as ConversationView['mode'],
    status: conversation.status as ConversationView['status'],
    created_at: textOfInstant(conversation.createdAt),
    updated_at: textOfInstant(conversation.updatedAt),
    running_turn_id: conversation.runningTurnId,
    unattended: !conversation.attended,
    delegate:
      conversation.parentConversationId === ''
        ? null
        : {
            name: conversation.delegateName,
            parent_conversation_id: conversation.parentConversationId,
            root_conversation_id: conversation.rootConversationId,
          },
  };
};

const toDelegate = (delegate: proto.Delegate): DelegateView => ({
  conversation_id: delegate.conversationId,
  parent_conversation_id: delegate.parentConversationId,
  root_conversation_id: delegate.rootConversationId,
  name: delegate.name,
  kind: delegate.kind,
  task: delegate.task,
  depth: delegate.depth,
  state: delegate.state,
  created_at: textOfInstant(delegate.createdAt),
  finished_at: delegate.finishedAt ? textOfInstant(delegate.finishedAt) : '',
  usage: { input_tokens: delegate.usage?.inputTokens ?? 0, output_tokens: delegate.usage?.outputTokens ?? 0 },
  tool_call_id: delegate.toolCallId,
});

const toMessage = (message: proto.Message): MessageView => ({
  id: message.id,
  conversation_id: message.conversationId,
  turn_id: message.turnId,
  role: message.role as MessageView['role'],
  content: message.content,
  status: message.status as MessageView['status'],
  usage: message.usage ? { input_tokens: message.usage.inputTokens, output_tokens: message.usage.outputTokens } : null,
  created_at: textOfInstant(message.createdAt),
  error_code: message.errorCode,
});
