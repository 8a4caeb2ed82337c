/** Shows a slot to the person whose conversation it is in; no agent has a way here. */
import { Fault } from '@bravo/faults';
import type { PersonPrincipal } from '../access/person.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import type { Slot, SlotStore } from './slot.ts';

/** @throws Fault not_found for what is erased, foreign or never was. */
export const createReadSlot =
  (conversations: ConversationStore, slots: SlotStore) =>
  async (person: PersonPrincipal, conversationId: string, number: number): Promise<Slot> => {
    const conversation = await conversations.find(conversationId);
    const slot =
      conversation !== undefined && isOwnedBy(conversation, person)
        ? await slots.find(conversationId, number)
        : undefined;
    if (slot === undefined) throw new Fault('not_found', 'There is no such reference in this conversation.');
    return slot;
  };
