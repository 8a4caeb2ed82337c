/** Tells whoever watches the person's conversation how its delegates are. Only a word: the list is read from the record. */
import type { TurnStream } from '../turn-streams/turn-stream.ts';
import type { Owner } from '../conversations/conversation.ts';
import type { DelegateStore } from './delegate-store.ts';

/** Of these conversations, those that are delegates of the tree. It never fails. */
export type TellDelegates = (owner: Owner, rootId: string, conversationIds: readonly string[]) => Promise<void>;

export const createTellDelegates =
  ({ delegates, stream }: { delegates: Pick<DelegateStore, 'below'>; stream: TurnStream }): TellDelegates =>
  async ({ workspaceId }, rootId, conversationIds) => {
    try {
      const wanted = new Set(conversationIds);
      for (const one of await delegates.below(rootId)) {
        if (!wanted.has(one.conversationId)) continue;
        const { conversationId, parentId, name, kind, task, state } = one;
        await stream.publish(
          { workspaceId, conversationId: rootId },
          {
            event: 'delegate',
            data: {
              conversation_id: conversationId,
              parent_conversation_id: parentId,
              ...{ name, kind, task, state },
            },
          },
          `${conversationId}:${state}:${Date.now()}`,
        );
      }
    } catch {
      // Whoever reads the list next sees how it is.
    }
  };
