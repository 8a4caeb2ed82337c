/** Ends a conversation for good: no pod, token, slot or file of it is left. What cannot be done now is done by the sweep. */
import { Fault } from '@bravo/faults';
import type { Identity } from '../access/identity.ts';
import type { Models } from '../contexts/models.ts';
import type { StopTurns } from '../turns/cancel-turn.ts';
import type { Broker } from './broker.ts';
import type { Caller } from '../access/caller.ts';
import type { StopDelegates } from '../delegates/stop-delegates.ts';
import type { Conversation } from './conversation.ts';
import type { ConversationStore } from './conversation-store.ts';

export interface EndConversationParts {
  readonly conversations: ConversationStore;
  readonly identity: Identity;
  readonly broker: Broker;
  readonly models: Pick<Models, 'forget'>;
  readonly stopTurns: StopTurns;
  readonly stopDelegates: StopDelegates;
  /** Stops its pod and gives up its lease where they are here; another instance sees that it has ended. */
  letGo(conversationId: string): Promise<void>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

const BATCH = 20;

export const createEndConversation = (parts: EndConversationParts) => {
  const { conversations, identity, broker, models, stopTurns, stopDelegates, letGo, log } = parts;

  const erase = async ({ id, workspaceId, userId }: Conversation): Promise<void> => {
    // The token first: nothing may read a slot that is being erased, or fill it again.
    await identity.revokeConversationTokens(id);
    await stopTurns(id);
    await letGo(id);
    await broker.erase({ workspaceId, userId }, id);
    await identity.eraseConversation(workspaceId, id);
    await models.forget({ workspaceId, userId }, id);
    await conversations.markErased(id);
  };
  const tryErase = (conversation: Conversation): Promise<void> =>
    erase(conversation).catch((err: unknown) => {
      log('an ended conversation could not be erased yet', { conversation: conversation.id, err });
    });

  return {
    endConversation: async (caller: Caller, id: string): Promise<void> => {
      const conversation = await conversations.find(id, caller);
      if (!conversation) throw new Fault('not_found', 'There is no such conversation.');
      // A delegate ends by its report, so that whoever it works for is not left waiting.
      if (conversation.delegate) return void (await stopDelegates(caller, id));
      await conversations.end(id, caller);
      // Before what they share is erased.
      for (const below of await conversations.unerasedBelow(id)) await tryErase(below);
      await tryErase(conversation);
    },
    /** Carries on ends that a crash or an outage cut off. */
    eraseLeft: async (): Promise<void> => {
      for (const conversation of await conversations.unerased(BATCH)) await tryErase(conversation);
    },
  };
};
