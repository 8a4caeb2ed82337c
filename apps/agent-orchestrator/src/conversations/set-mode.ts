/** Changes the mode of a conversation where it is enforced first; it never tells of a mode the broker does not know of. */
import { Fault } from '@bravo/faults';
import type { Caller } from '../access/caller.ts';
import type { Broker } from './broker.ts';
import { type Conversation, delegateHasNone, readMode } from './conversation.ts';
import type { ConversationStore } from './conversation-store.ts';

export const createSetMode =
  ({ conversations, broker }: { readonly conversations: ConversationStore; readonly broker: Broker }) =>
  async (caller: Caller, id: string, text: string): Promise<Conversation> => {
    const conversation = await conversations.find(id, caller);
    if (!conversation) throw new Fault('not_found', 'There is no such conversation.');
    if (text === '') throw new Fault('invalid_argument', 'mode is empty.', { meta: { field: 'mode' } });
    if (conversation.delegate) throw delegateHasNone('mode of its own');
    const mode = readMode(text);
    if (conversation.status !== 'active')
      throw new Fault('conversation_ended', 'The conversation has ended. Start a new one.');
    await broker.setMode(caller, id, mode);
    if (mode !== conversation.mode) await conversations.setMode(id, conversation.mode, mode, caller);
    return { ...conversation, mode };
  };
