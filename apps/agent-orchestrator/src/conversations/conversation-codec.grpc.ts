/** Conversations and messages as the contract spells them. */
import type { Conversation as ConversationMessage, Message as MessageMessage } from '@bravo/proto/orchestrator';
import type { Conversation, Message } from './conversation.ts';

export const encodeConversation = (conversation: Conversation): ConversationMessage => ({
  id: conversation.id,
  workspaceId: conversation.workspaceId,
  userId: conversation.userId,
  projectId: conversation.projectId,
  title: conversation.title,
  mode: conversation.mode,
  status: conversation.status,
  createdAt: conversation.createdAt,
  updatedAt: conversation.updatedAt,
  runningTurnId: conversation.runningTurnId,
  attended: conversation.attended,
  parentConversationId: conversation.delegate?.parentId ?? '',
  rootConversationId: conversation.delegate?.rootId ?? '',
  delegateName: conversation.delegate?.name ?? '',
});

export const encodeMessage = (message: Message): MessageMessage => ({
  id: message.id,
  conversationId: message.conversationId,
  turnId: message.turnId,
  role: message.role,
  content: message.content,
  status: message.status,
  usage: { inputTokens: message.inputTokens, outputTokens: message.outputTokens },
  createdAt: message.createdAt,
  errorCode: message.errorCode,
});
