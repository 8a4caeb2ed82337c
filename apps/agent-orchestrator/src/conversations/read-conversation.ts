/** Reads a conversation with what was said in it, for the person it belongs to; of anybody else's it says that there is none. */
import { Fault } from '@bravo/faults';
import type { TurnStream } from '../turn-streams/turn-stream.ts';
import type { TurnStore, TurnView } from '../turns/turn-store.ts';
import type { Conversation, Message, Owner } from './conversation.ts';
import type { ConversationStore } from './conversation-store.ts';
import { cutPage, readPage } from './page-cursor.ts';

export interface ReadConversationParts {
  readonly conversations: ConversationStore;
  readonly turns: TurnStore;
  readonly stream: TurnStream;
}

const NEWEST = 50;
const SEQ = /^\d{1,18}$/;

export const createReadConversation = ({ conversations, turns, stream }: ReadConversationParts) => {
  const own = async (owner: Owner, id: string): Promise<Conversation> => {
    const conversation = await conversations.find(id, owner);
    if (!conversation) throw new Fault('not_found', 'There is no such conversation.');
    return conversation;
  };
  return {
    /** The position is read first: whatever comes after it is news to whoever reads this, at worst twice. */
    getConversation: async (owner: Owner, id: string) => {
      await own(owner, id);
      const position = await stream.position({ workspaceId: owner.workspaceId, conversationId: id });
      const messages = await conversations.messages(id, { limit: NEWEST, after: undefined });
      const conversation = await own(owner, id);
      return { conversation, messages: messages.slice(0, NEWEST).reverse(), position };
    },
    listMessages: async (
      owner: Owner,
      id: string,
      page: { readonly limit: number; readonly cursor: string } | undefined,
    ) => {
      await own(owner, id);
      const wanted = readPage(page, NEWEST, SEQ);
      const rows = await conversations.messages(id, wanted);
      return cutPage(rows, wanted.limit, ({ seq }) => String(seq));
    },
    getTurn: async (
      owner: Owner,
      id: string,
      turnId: string,
    ): Promise<{ turn: TurnView; user: Message | undefined; assistant: Message | undefined }> => {
      await own(owner, id);
      const turn = await turns.find(id, turnId);
      if (!turn) throw new Fault('not_found', 'There is no such turn in the conversation.');
      const [user, assistant] = await Promise.all([
        conversations.message(turn.userMessageId),
        turn.assistantMessageId ? conversations.message(turn.assistantMessageId) : undefined,
      ]);
      return { turn, user, assistant };
    },
  };
};
