/** What Bravo was told, for the person whose conversation it is; of anybody else's it says that there is none. */
import { Fault } from '@bravo/faults';
import type { Summary, SummaryStore } from '../contexts/summary-store.ts';
import type { Owner } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { ToldInstructions } from './instruction-part.ts';
import type { InstructionStore } from './instruction-store.ts';

export interface ReadInstructionsParts {
  readonly conversations: Pick<ConversationStore, 'find'>;
  readonly instructions: Pick<InstructionStore, 'latest'>;
  readonly summaries: Pick<SummaryStore, 'latest'>;
}

export interface WhatWasTold {
  /** `undefined`: no turn has begun yet. */
  readonly instructions: ToldInstructions | undefined;
  readonly summary: Summary | undefined;
}

export type ReadInstructions = (owner: Owner, conversationId: string) => Promise<WhatWasTold>;

export const createReadInstructions =
  ({ conversations, instructions, summaries }: ReadInstructionsParts): ReadInstructions =>
  async (owner, conversationId) => {
    if (!(await conversations.find(conversationId, owner)))
      throw new Fault('not_found', 'There is no such conversation.');
    const [told, summary] = await Promise.all([instructions.latest(conversationId), summaries.latest(conversationId)]);
    return { instructions: told, summary };
  };
