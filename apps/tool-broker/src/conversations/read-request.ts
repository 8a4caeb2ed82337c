/** What every request about a conversation must name; a missing or unknown word is refused and never replaced. */
import { Fault } from '@bravo/faults';
import { isMode, type Mode } from '@bravo/policy';

/** @throws Fault invalid_argument */
export const readConversationId = (conversationId: string): string => {
  if (conversationId === '')
    throw new Fault('invalid_argument', 'The call names no conversation.', { meta: { field: 'conversation_id' } });
  return conversationId;
};

/** @throws Fault invalid_argument */
export const readMode = (mode: string): Mode => {
  if (!isMode(mode))
    throw new Fault('invalid_argument', 'The mode must be ask, coworker or voice.', { meta: { field: 'mode' } });
  return mode;
};
