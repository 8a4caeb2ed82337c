/** Freezes the policy a conversation starts with; a configuration or a settings layer that cannot be read starts nothing. */
import { Fault } from '@bravo/faults';
import type { Mode } from '@bravo/policy';
import type { Identity } from '../access/agent.ts';
import { type ConversationStore, isOwnedBy } from './conversation.ts';
import { policyOfNow } from './policy-of-now.ts';

export interface SnapshotRequest {
  readonly conversationId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly projectId: string;
  readonly mode: Mode;
  readonly attended: boolean;
}

/** @returns the policy version, the same for every repeat. @throws Fault not_found for a conversation of someone else. */
export const createSnapshotConversation =
  (identity: Identity, conversations: ConversationStore) =>
  async (request: SnapshotRequest): Promise<string> => {
    const { policyVersion, owner } = await conversations.snapshot({
      id: request.conversationId,
      workspaceId: request.workspaceId,
      userId: request.userId,
      projectId: request.projectId,
      mode: request.mode,
      attended: request.attended,
      ...(await policyOfNow(identity, request)),
    });
    if (!isOwnedBy(owner, request)) throw new Fault('not_found', 'There is no such conversation.');
    return policyVersion;
  };
