/** Reads what Bravo was told in a conversation, for the person whose it is. */
import { type Caller, type CallSubject, subjectOf } from '../callers/caller.ts';
import type { Orchestrator } from '../conversations/orchestrator.ts';
import type { InstructionsView } from './instruction-routes.ts';

/** What the orchestrator knows of it, and what the model gateway does. */
export interface Told {
  /** @throws Fault not_found for a conversation of somebody else. */
  instructions(subject: CallSubject, conversationId: string): Promise<Omit<InstructionsView, 'context'>>;
  context(subject: CallSubject, conversationId: string): Promise<InstructionsView['context']>;
}

export interface ReadTold {
  read(caller: Caller, conversationId: string): Promise<InstructionsView>;
  /** @returns the turn that does it. */
  compact(caller: Caller, conversationId: string): Promise<string>;
}

export const createReadTold = ({
  told,
  orchestrator,
}: {
  readonly told: Told;
  readonly orchestrator: Pick<Orchestrator, 'runTurn'>;
}): ReadTold => ({
  read: async (caller, conversationId) => {
    const subject = subjectOf(caller);
    // Whose it is comes first: the model gateway knows no conversations.
    const instructions = await told.instructions(subject, conversationId);
    return { ...instructions, context: await told.context(subject, conversationId) };
  },
  compact: async (caller, conversationId) => {
    const message = { conversationId, content: '/compact', idempotencyKey: '', context: '' };
    return (await orchestrator.runTurn(subjectOf(caller), message)).turnId;
  },
});
