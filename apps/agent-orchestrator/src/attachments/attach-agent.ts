/**
 * Lets a person put an agent of their own into the pod's place (D32): an ordinary token of one conversation, no more.
 * In production only with the right `attach_agent`; who has it is asked of identity and believed from nobody else.
 */
import { Fault } from '@bravo/faults';
import type { Caller } from '../access/caller.ts';
import type { Identity } from '../access/identity.ts';
import { type Conversation, delegateHasNone } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';

export interface AttachAgentParts {
  readonly conversations: ConversationStore;
  readonly identity: Identity;
  createConversation(
    caller: Caller,
    asked: { projectId: string; title: string; mode: string; attended: boolean },
  ): Promise<Conversation>;
  /** Ends the pod the conversation has here. */
  releasePod(conversationId: string): Promise<void>;
  newPodId(): string;
  readonly production: boolean;
  readonly tokenTtlSeconds: number;
}

export const createAttachAgent =
  (parts: AttachAgentParts) =>
  async (
    caller: Caller,
    conversationId: string,
  ): Promise<{ conversationId: string; token: string; expiresAt: Date }> => {
    const { conversations, identity, production, tokenTtlSeconds } = parts;
    const member = await identity.member(caller.workspaceId, caller.userId);
    if (!member) throw new Fault('not_found', 'The person is not in the workspace.');
    const permissions = new Set(member.permissions);
    if (production && !permissions.has('attach_agent')) {
      throw new Fault(
        'production_refused',
        'In production an agent is attached only by a person with the right attach_agent.',
      );
    }
    // The operator's key is on the machine already; through the gateway it takes who may manage the project.
    const may = permissions.has('attach_agent') || permissions.has('manage_project') || caller.issuer === 'operator';
    if (!may)
      throw new Fault('permission_denied', 'Attaching an agent needs the right attach_agent or manage_project.');
    const person: Caller = { ...caller, role: member.role, permissions: member.permissions };
    const conversation = conversationId
      ? await conversations.find(conversationId, person)
      : await parts.createConversation(person, { projectId: '', title: 'Attached agent', mode: '', attended: true });
    if (!conversation) throw new Fault('not_found', 'There is no such conversation.');
    if (conversation.delegate) throw delegateHasNone('agent of a person');
    if (conversation.status !== 'active')
      throw new Fault('conversation_ended', 'The conversation has ended. Start a new one.');
    if (conversation.runningTurnId)
      throw new Fault('conflict', 'A turn runs in the conversation. Cancel it, or wait until it has ended.');
    await parts.releasePod(conversation.id);
    const { tokenId, token } = await identity.mintAgentToken(parts.newPodId(), tokenTtlSeconds);
    const { workspaceId, userId } = person;
    const expiresAt = await identity.bindAgentToken(tokenId, { workspaceId, userId, conversationId: conversation.id });
    try {
      await conversations.attach(conversation.id, { workspaceId, userId }, { tokenId, expiresAt });
    } catch (error) {
      // No token without its event.
      await identity.revokeAgentToken(tokenId);
      throw error;
    }
    return { conversationId: conversation.id, token, expiresAt };
  };
