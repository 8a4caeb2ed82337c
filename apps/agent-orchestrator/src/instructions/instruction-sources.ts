/** What has to be asked for before the model can be told anything. */
import type { Owner } from '../conversations/conversation.ts';
import type { InstructionFacts } from './compose-instructions.ts';

export interface InstructionSources {
  /** @throws Fault where they are no member (any more). */
  person(owner: Owner): Promise<Pick<InstructionFacts, 'personName' | 'role' | 'workspaceName'>>;
  /** In force now, weakest layer first. */
  standing(owner: Owner, conversationId: string): Promise<InstructionFacts['standing']>;
  /** What `load_skill` would load, by name. */
  skills(owner: Owner): Promise<InstructionFacts['skills']>;
  file(owner: Owner, conversationId: string): Promise<InstructionFacts['file']>;
}
