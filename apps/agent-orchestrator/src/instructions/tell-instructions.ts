/** Before a turn asks a model anything: what it is told is composed of the facts of now, recorded where it differs, and given to the model gateway, which puts it at the head of every request. */
import { type Fault, toFault } from '@bravo/faults';
import type { Models } from '../contexts/models.ts';
import type { Mode } from '../conversations/conversation.ts';
import type { ConversationStore } from '../conversations/conversation-store.ts';
import type { StartedTurn } from '../turns/turn-store.ts';
import { composeInstructions, type InstructionFacts } from './compose-instructions.ts';
import type { InstructionSources } from './instruction-sources.ts';
import type { InstructionStore } from './instruction-store.ts';

export interface TellInstructionsParts {
  readonly conversations: Pick<ConversationStore, 'find'>;
  readonly sources: InstructionSources;
  readonly instructions: InstructionStore;
  readonly models: Pick<Models, 'putInstructions'>;
  readonly log: (message: string, about: Readonly<Record<string, unknown>>) => void;
}

/** @throws Fault: a turn whose model cannot be told whom it works for does not begin. */
export type TellInstructions = (turn: Pick<StartedTurn, 'conversationId' | 'owner'>) => Promise<void>;

/** Of a conversation forgotten here the gateway is told again, which costs a call. */
const MOST_REMEMBERED = 10_000;

export const createTellInstructions = ({
  conversations,
  sources,
  instructions,
  models,
  log,
}: TellInstructionsParts): TellInstructions => {
  /** By conversation: the version the gateway has taken from us. It keeps the newest on record, whoever gives it. */
  const given = new Map<string, number>();
  return async ({ conversationId, owner }) => {
    const unread = (fault: Fault): InstructionFacts['file'] => {
      log('AGENTS.md could not be asked for', { conversation: conversationId, code: fault.code });
      return { state: 'refused', text: '', bytes: 0, why: 'the files could not be asked' };
    };
    const [conversation, person, standing, skills, file] = await Promise.all([
      conversations.find(conversationId, owner),
      sources.person(owner),
      sources.standing(owner, conversationId),
      sources.skills(owner),
      // A file that cannot be read tells nothing; the person sees that it did not.
      sources.file(owner, conversationId).catch((error: unknown) => unread(toFault(error))),
    ]);
    const mode: Mode = conversation?.mode ?? 'ask';
    const composed = composeInstructions({
      ...{
        ...person,
        projectId: conversation?.projectId ?? '',
        mode,
        delegate: conversation?.delegate,
        standing,
        skills,
        file,
      },
    });
    const { version, digest, text } = await instructions.record(owner, conversationId, composed);
    if (given.get(conversationId) === version) return;
    await models.putInstructions(owner, conversationId, { version, digest, text });
    given.delete(conversationId);
    given.set(conversationId, version);
    for (const oldest of given.keys()) {
      if (given.size <= MOST_REMEMBERED) break;
      given.delete(oldest);
    }
  };
};
