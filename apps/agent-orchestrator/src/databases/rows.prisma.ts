/** Rows as the core knows them. */
import type { Conversation, Message, MessageRole, MessageStatus, Mode } from '../conversations/conversation.ts';
import type { ConversationModel, DelegateModel, MessageModel } from '../generated/prisma/models.ts';

export const WITH_RUNNING = { turns: { where: { status: 'running' }, select: { id: true } }, delegate: true } as const;

export const toConversation = (
  row: ConversationModel & { turns?: { id: string }[]; delegate?: DelegateModel | null },
): Conversation => ({
  id: row.id,
  workspaceId: row.workspaceId,
  userId: row.userId,
  projectId: row.projectId,
  title: row.title,
  mode: row.mode as Mode,
  status: row.status as Conversation['status'],
  policyVersion: row.policyVersion,
  attended: row.attended,
  attachedUntil: row.attachedUntil ?? undefined,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  runningTurnId: row.turns?.[0]?.id ?? '',
  delegate: row.delegate ?? undefined,
});

export const toMessage = (row: MessageModel): Message => ({
  ...row,
  role: row.role as MessageRole,
  status: row.status as MessageStatus,
});
