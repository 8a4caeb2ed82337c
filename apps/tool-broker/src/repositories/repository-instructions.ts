/**
 * AGENTS.md among a conversation's files, for whoever composes what the model is told. Its words are given only while the person
 * vouches for the file; of another one nothing is given but that it is there and how large it is.
 */
import { Fault } from '@bravo/faults';
import { lookUpTrust } from '@bravo/policy';
import type { Identity } from '../access/agent.ts';
import type { PersonPrincipal } from '../access/person.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** Where it lies, from the root of the files. */
export const INSTRUCTIONS_FILE = 'AGENTS.md';
const MAX_BYTES = 64 * 1024;

export interface RepositoryInstructions {
  readonly state: 'absent' | 'trusted' | 'untrusted' | 'refused';
  /** Empty unless trusted. */
  readonly text: string;
  readonly bytes: number;
  /** Of a refused one. */
  readonly why: string;
}

export interface RepositoryInstructionsParts {
  readonly conversations: Pick<ConversationStore, 'find' | 'trustMap'>;
  readonly identity: Pick<Identity, 'resolveMember'>;
  readonly sandbox: Pick<Sandbox, 'stat' | 'read'>;
}

export type ReadRepositoryInstructions = (
  person: PersonPrincipal,
  conversationId: string,
) => Promise<RepositoryInstructions>;

/** @throws Fault not_found, and what the files answer where they cannot be asked. */
export const createReadRepositoryInstructions =
  ({ conversations, identity, sandbox }: RepositoryInstructionsParts): ReadRepositoryInstructions =>
  async (person, conversationId) => {
    const [conversation, { role, permissions }] = await Promise.all([
      conversations.find(conversationId),
      identity.resolveMember(person.workspaceId, person.userId),
    ]);
    if (conversation === undefined || !isOwnedBy(conversation, person) || conversation.ended)
      throw new Fault('not_found', 'There is no such live conversation.');
    const who = { ...person, conversationId, podId: '', role, permissions };
    const { exists, kind, landing, size } = await sandbox.stat(who, INSTRUCTIONS_FILE);
    if (!exists) return { state: 'absent', text: '', bytes: 0, why: '' };
    const refused = (why: string): RepositoryInstructions => ({ state: 'refused', text: '', bytes: size, why });
    if (kind !== 'file' || (landing !== '' && landing !== INSTRUCTIONS_FILE)) return refused('it is no plain file');
    if (size > MAX_BYTES) return refused(`it is larger than ${MAX_BYTES} bytes`);
    const { content, truncated } = await sandbox.read(who, INSTRUCTIONS_FILE, MAX_BYTES);
    // INVARIANT: trust is read after the bytes, as for every read: an older mark must not vouch for newer bytes.
    const trust = lookUpTrust(await conversations.trustMap(conversationId), INSTRUCTIONS_FILE);
    if (trust !== 'trusted') return { state: 'untrusted', text: '', bytes: size, why: '' };
    const text = decode(content);
    return truncated || text === undefined
      ? refused('it is no text of UTF-8')
      : { state: 'trusted', text, bytes: content.byteLength, why: '' };
  };

const decode = (content: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
};
