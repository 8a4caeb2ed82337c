/** What a person sees of the settings file among the files, and which of its allow rules they let hold. Guarantees that only what the file proposes, letter by letter, can be accepted; it must never accept anything by itself. */
import { Fault } from '@bravo/faults';
import type { Identity } from '../access/agent.ts';
import type { PersonPrincipal } from '../access/person.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import { compileLayers } from '../rules/stored-layers.ts';
import type { FindRepository, RepositorySettings } from './repository-settings.ts';

export interface RepositoryView {
  readonly found: boolean;
  /** JSON text of the document; empty where none was found. */
  readonly text: string;
  readonly trusted: boolean;
  readonly accepted: readonly string[];
  /** Allow rules that wait for the person. */
  readonly proposals: readonly string[];
  /** Why a file that is there changes nothing; else empty. */
  readonly refusedBecause: string;
}

export interface RepositoryUse {
  see(person: PersonPrincipal, conversationId: string): Promise<RepositoryView>;
  /** @throws Fault not_found, invalid_argument for a rule that is not proposed. */
  accept(person: PersonPrincipal, conversationId: string, rules: readonly string[]): Promise<RepositoryView>;
}

export interface RepositoryUseParts {
  readonly conversations: Pick<ConversationStore, 'find' | 'acceptRules'>;
  readonly identity: Pick<Identity, 'resolveMember'>;
  readonly findRepository: FindRepository;
}

export const createRepositoryUse = ({ conversations, identity, findRepository }: RepositoryUseParts): RepositoryUse => {
  const look = async (person: PersonPrincipal, conversationId: string) => {
    const conversation = await conversations.find(conversationId);
    if (conversation === undefined || !isOwnedBy(conversation, person) || conversation.ended)
      throw new Fault('not_found', 'There is no such live conversation.');
    const { repository } = conversation;
    if (repository === 'unknown') throw new Fault('unavailable', 'What was kept of the settings file cannot be read.');
    const { role, permissions } = await identity.resolveMember(person.workspaceId, person.userId);
    return findRepository(
      { id: conversationId, repository },
      { ...person, conversationId, podId: '', role, permissions },
    );
  };
  return {
    see: async (person, conversationId) => {
      const found = await look(person, conversationId);
      if (found.kind === 'found') return view(found.settings);
      return { ...NOTHING, refusedBecause: found.kind === 'refused' ? found.why : '' };
    },
    accept: async (person, conversationId, rules) => {
      const found = await look(person, conversationId);
      if (found.kind !== 'found')
        throw new Fault('not_found', 'There are no settings among the files of this conversation.');
      const proposed = view(found.settings);
      const stray = rules.find((rule) => ![...proposed.proposals, ...proposed.accepted].includes(rule));
      if (stray !== undefined) {
        throw new Fault(
          'invalid_argument',
          'A rule is not one that the file proposes, exactly as it is written there.',
          {
            meta: { field: 'rules' },
          },
        );
      }
      const owner = { id: conversationId, workspaceId: person.workspaceId, userId: person.userId };
      return view(await conversations.acceptRules(owner, rules));
    },
  };
};

const NOTHING: RepositoryView = {
  found: false,
  text: '',
  trusted: false,
  accepted: [],
  proposals: [],
  refusedBecause: '',
};

const view = ({ text, trusted, accepted }: RepositorySettings): RepositoryView => {
  const { rules } = compileLayers([{ layer: 'repository', version: 1, text, accepted }]);
  return { ...NOTHING, found: true, text, trusted, accepted, proposals: rules.proposals.map(({ rule }) => rule) };
};
