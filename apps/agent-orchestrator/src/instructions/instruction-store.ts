/** Every version of what a conversation's model was told. */
import type { Owner } from '../conversations/conversation.ts';
import type { Composed, ToldInstructions } from './instruction-part.ts';

export interface InstructionStore {
  latest(conversationId: string): Promise<ToldInstructions | undefined>;
  /** A new version with its event where the text or its parts differ from the latest. @returns what holds. */
  record(owner: Owner, conversationId: string, composed: Composed): Promise<ToldInstructions>;
}
